package dev.portolan.decision.view;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MapEntry;
import com.google.protobuf.Message;
import dev.portolan.api.localv1.Endpoint;
import dev.portolan.api.localv1.NodeFacts;
import dev.portolan.api.localv1.OpItem;
import dev.portolan.api.localv1.Ref;
import dev.portolan.api.localv1.Service;
import dev.portolan.api.localv1.ServiceMetadata;
import dev.portolan.api.localv1.Value;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An item of a stream as a tree: {@code op}, with Set and Delete {@code set} and {@code path}, with
 * Set the {@code value}, with Sync the {@code change}.
 *
 * <p>Fields are named as in the .proto files. One that is not set is left out, and a number of 64
 * bits is a string, for JSON's numbers are too small.
 */
public final class ItemTree {
  private ItemTree() {}

  /** The tree of {@code item}. */
  public static Map<String, Object> of(OpItem item) {
    Map<String, Object> tree = new LinkedHashMap<>();
    switch (item.getOpCase()) {
      case RESET -> tree.put("op", "Reset");
      case SET -> {
        tree.put("op", "Set");
        put(tree, item.getSet().getRef());
        tree.put("value", value(item.getSet()));
      }
      case DELETE -> {
        tree.put("op", "Delete");
        put(tree, item.getDelete());
      }
      case SYNC -> {
        tree.put("op", "Sync");
        if (item.hasChange()) {
          tree.put("change", message(item.getChange()));
        }
      }
      case OP_NOT_SET -> tree.put("op", "");
    }
    return tree;
  }

  private static void put(Map<String, Object> tree, Ref ref) {
    tree.put("set", ref.getSet().toString());
    tree.put("path", ref.getPath());
  }

  private static Object value(Value value) {
    ByteString bytes = value.getBytes();
    try {
      return switch (value.getRef().getSet()) {
        case ServicesSet -> message(Service.parseFrom(bytes));
        case EndpointsSet -> message(Endpoint.parseFrom(bytes));
        case NodeFactsSet -> message(NodeFacts.parseFrom(bytes));
        case ServiceMetadataSet -> message(ServiceMetadata.parseFrom(bytes));
        default -> base64(bytes);
      };
    } catch (InvalidProtocolBufferException e) {
      return base64(bytes);
    }
  }

  private static Map<String, Object> message(Message message) {
    Map<String, Object> tree = new LinkedHashMap<>();
    message
        .getAllFields()
        .forEach((field, value) -> tree.put(field.getName(), field(field, value)));
    return tree;
  }

  private static Object field(FieldDescriptor field, Object value) {
    if (field.isMapField()) {
      Map<String, Object> map = new LinkedHashMap<>();
      for (Object entry : (List<?>) value) {
        MapEntry<?, ?> pair = (MapEntry<?, ?>) entry;
        map.put(pair.getKey().toString(), leaf(pair.getValue()));
      }
      return map;
    }
    return value instanceof List<?> list ? list.stream().map(ItemTree::leaf).toList() : leaf(value);
  }

  private static Object leaf(Object value) {
    return switch (value) {
      case Message inner -> message(inner);
      case EnumValueDescriptor word -> word.getName();
      case ByteString bytes -> base64(bytes);
      case Long number -> Long.toUnsignedString(number);
      default -> value;
    };
  }

  private static String base64(ByteString bytes) {
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
  }
}

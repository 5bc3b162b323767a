package dev.portolan.server.access;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Message;
import dev.portolan.core.text.Quotes;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How long the texts of a request may be. They are logged, kept and quoted to others, so that a
 * client could fill the log and the memory with them.
 */
public final class TextLengths {
  /** The longest name that Kubernetes allows. */
  private static final int NAME = 253;

  /** Room for a URL. */
  private static final int OTHER = 1024;

  /** The longest sentence that is kept when a client reports a failure. */
  private static final int SENTENCE = 1024;

  private TextLengths() {}

  /** What is too long in {@code request}, in a sentence; empty where nothing is. */
  public static Optional<String> objection(Object request) {
    if (!(request instanceof Message message)) {
      return Optional.empty();
    }
    for (Map.Entry<FieldDescriptor, Object> entry : message.getAllFields().entrySet()) {
      FieldDescriptor field = entry.getKey();
      List<?> values = field.isRepeated() ? (List<?>) entry.getValue() : List.of(entry.getValue());
      for (Object value : values) {
        Optional<String> objection =
            field.getJavaType() == JavaType.STRING
                ? objection(field.getName(), (String) value)
                : objection(value);
        if (objection.isPresent()) {
          return objection;
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<String> objection(String field, String text) {
    int most =
        switch (field) {
          case "NodeName", "node", "nodes", "ClientName" -> NAME;
          // Refusing a client that has failed would only hide why; see sentence.
          case "Error" -> Integer.MAX_VALUE;
          default -> OTHER;
        };
    return text.length() <= most
        ? Optional.empty()
        : Optional.of(
            "%s is %s; it may have at most %d characters"
                .formatted(field, Quotes.quote(text), most));
  }

  /** The beginning of the sentence with which a client reports a failure. */
  public static String sentence(String text) {
    return text.length() <= SENTENCE ? text : text.substring(0, SENTENCE) + "…";
  }
}

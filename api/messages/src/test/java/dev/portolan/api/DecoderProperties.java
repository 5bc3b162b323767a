package dev.portolan.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.portolan.api.globalv1.EndpointInfo;
import dev.portolan.api.globalv1.NodeInfo;
import dev.portolan.api.globalv1.ServiceCIDR;
import dev.portolan.api.globalv1.ServiceInfo;
import dev.portolan.api.globalv1.Slice;
import dev.portolan.api.localv1.Change;
import dev.portolan.api.localv1.Endpoint;
import dev.portolan.api.localv1.NodeFacts;
import dev.portolan.api.localv1.Service;
import dev.portolan.api.localv1.Value;
import dev.portolan.core.node.NodeImage;
import dev.portolan.testbase.ForAll;
import dev.portolan.testbase.Property;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Whatever comes, a decoder reads it or refuses it with a sentence; it never fails otherwise. */
class DecoderProperties {
  private interface Decoder {
    Object decode(Value value) throws WireException;
  }

  private static final List<Decoder> DECODERS =
      List.of(
          value -> NodeMessages.facts(StreamValues.parse(value, NodeFacts.parser())),
          value ->
              NodeMessages.service(StreamValues.parse(value, Service.parser()), List.of(), "n1"),
          value ->
              NodeMessages.service(
                  StreamValues.parse(value, Service.parser()).toBuilder().clearDecision().build(),
                  List.of(Samples.kpngEndpoint()),
                  "n1"),
          value ->
              NodeMessages.service(
                  Samples.kpngService(),
                  List.of(StreamValues.parse(value, Endpoint.parser())),
                  "n1"),
          value -> NodeMessages.triggers(StreamValues.parse(value, Change.parser())),
          value -> ClusterMessages.service(StreamValues.parse(value, ServiceInfo.parser())),
          value -> ClusterMessages.slice(StreamValues.parse(value, Slice.parser())),
          value ->
              ClusterMessages.slices(List.of(StreamValues.parse(value, EndpointInfo.parser()))),
          value -> ClusterMessages.node(StreamValues.parse(value, NodeInfo.parser())),
          value -> ClusterMessages.serviceCidr(StreamValues.parse(value, ServiceCIDR.parser())));

  private static void decodeEverywhere(ByteString bytes) {
    Value value = Value.newBuilder().setBytes(bytes).build();
    for (Decoder decoder : DECODERS) {
      try {
        assertThat(decoder.decode(value)).isNotNull();
      } catch (WireException e) {
        assertThat(e).message().isNotBlank();
      }
    }
  }

  @Property(tries = 2000)
  void anyBytes(@ForAll byte[] bytes) {
    decodeEverywhere(ByteString.copyFrom(bytes));
  }

  @Property(tries = 500)
  void goodMessagesWithSomeBytesChanged(@ForAll long seed) {
    Random random = new Random(seed);
    for (ByteString good : messages(seed)) {
      byte[] bytes = good.toByteArray();
      for (int i = random.nextInt(3); i >= 0 && bytes.length > 0; i--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      decodeEverywhere(ByteString.copyFrom(bytes));
    }
  }

  private static List<ByteString> messages(long seed) {
    RandomObjects objects = new RandomObjects(seed);
    List<StreamItem> items = new ArrayList<>();
    NodeImage image = objects.image("n1");
    items.add(NodeMessages.factsItem(image.facts()));
    image
        .services()
        .flat()
        .forEach((name, service) -> {
          EncodedService encoded = EncodedService.of(service);
          items.add(encoded.set());
          encoded.endpoints().forEach(endpoint -> items.add(endpoint.set("n1")));
        });
    items.add(ClusterItems.service(objects.service()));
    items.add(ClusterItems.slice(objects.slice()));
    items.add(ClusterItems.node(objects.node()));
    ClusterItems.endpointInfos(objects.slice()).forEach(entry -> items.add(entry.set()));
    return items.stream().map(item -> item.message().getSet().getBytes()).toList();
  }

  @Property
  void anyPath(@ForAll String path) {
    try {
      assertThat(Paths.service(path).name()).isNotEmpty();
    } catch (WireException e) {
      assertThat(e).hasMessageContaining("namespace/name");
    }
    try {
      assertThat(Paths.object(path)).isNotNull();
    } catch (WireException e) {
      assertThat(e).hasMessageContaining("namespace|name|source|key");
    }
  }
}

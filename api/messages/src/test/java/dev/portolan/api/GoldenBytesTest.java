package dev.portolan.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.MessageLite;
import dev.portolan.api.globalv1.EndpointConditions;
import dev.portolan.api.globalv1.EndpointInfo;
import dev.portolan.api.globalv1.Node;
import dev.portolan.api.globalv1.ServiceInfo;
import dev.portolan.api.globalv1.TopologyInfo;
import dev.portolan.api.localv1.Endpoint;
import dev.portolan.api.localv1.EndpointScopes;
import dev.portolan.api.localv1.IPSet;
import dev.portolan.api.localv1.PortMapping;
import dev.portolan.api.localv1.PortName;
import dev.portolan.api.localv1.Protocol;
import dev.portolan.api.localv1.Service;
import dev.portolan.api.localv1.ServiceIPs;
import dev.portolan.api.localv1.Set;
import dev.portolan.api.localv1.WatchReq;
import java.io.IOException;
import java.io.InputStream;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What KPNG's programs write and read, byte for byte. */
class GoldenBytesTest {
  private static final String SERVICE =
      "0a0764656661756c7412037765621a09436c7573746572495022100a0c0a0a31302e39362e302e3130"
          + "1200320d0a04687474701001185028903f";
  private static final String ENDPOINT =
      "120a0a0831302e312e322e3322090a046874747010903f2a0408011001";
  private static final String LOCAL_ENDPOINT = "120a0a0831302e312e322e331801220310903f2a0408011001";

  private static String hex(MessageLite message) {
    return HexFormat.of().formatHex(message.toByteArray());
  }

  private static String hex(StreamItem item) throws IOException {
    try (InputStream bytes = StreamItem.MARSHALLER.stream(item)) {
      return HexFormat.of().formatHex(bytes.readAllBytes());
    }
  }

  private static String hash(MessageLite message) {
    return Long.toHexString(Xxh64.of(message));
  }

  private static Service service() {
    return Service.newBuilder()
        .setNamespace("default")
        .setName("web")
        .setType("ClusterIP")
        .setIPs(
            ServiceIPs.newBuilder()
                .setClusterIPs(IPSet.newBuilder().addV4("10.96.0.10"))
                .setExternalIPs(IPSet.getDefaultInstance()))
        .addPorts(
            PortMapping.newBuilder()
                .setName("http")
                .setProtocol(Protocol.TCP)
                .setPort(80)
                .setTargetPort(8080))
        .build();
  }

  private static Endpoint.Builder endpoint(String portName) {
    return Endpoint.newBuilder()
        .setIPs(IPSet.newBuilder().addV4("10.1.2.3"))
        .addPortOverrides(PortName.newBuilder().setName(portName).setPort(8080));
  }

  private static EndpointScopes everywhere() {
    return EndpointScopes.newBuilder().setInternal(true).setExternal(true).build();
  }

  @Test
  void requestsAndMarks() throws IOException {
    assertThat(hex(WatchReq.newBuilder().setNodeName("n1").build())).isEqualTo("0a026e31");
    assertThat(hex(StreamItem.SYNC)).isEqualTo("0a00");
    assertThat(hex(StreamItem.RESET)).isEqualTo("2200");
    assertThat(hex(StreamItem.delete(Set.EndpointsSet, "default/web/web-abc")))
        .isEqualTo("1a170802121364656661756c742f7765622f7765622d616263");
  }

  @Test
  void batches() throws IOException {
    StreamItem delete = StreamItem.delete(Set.ServicesSet, "a/b");
    StreamItem batch = StreamItem.batch(List.of(delete, StreamItem.SYNC));
    assertThat(hex(batch)).isEqualTo("aa0609" + hex(delete) + "aa0602" + "0a00");
    assertThat(batch.size()).isEqualTo(delete.sizeInBatch() + StreamItem.SYNC.sizeInBatch());
    assertThat(batch.message().getItemsList())
        .containsExactly(delete.message(), StreamItem.SYNC.message());
    assertThat(batch.isSync()).isTrue();
    assertThat(StreamItem.batch(List.of(StreamItem.SYNC, delete)).isSync()).isFalse();
    assertThat(StreamItem.batch(List.of(delete))).isSameAs(delete);
    assertThat(StreamItem.SYNC.isSync()).isTrue();
    assertThat(delete.isSync()).isFalse();
  }

  @Test
  void services() throws IOException {
    assertThat(hex(service())).isEqualTo(SERVICE);
    assertThat(hash(ServiceInfo.newBuilder().setService(service()).build()))
        .isEqualTo("8a7863a570591e5b");
    assertThat(hex(StreamItem.set(Set.ServicesSet, "default/web", service())))
        .isEqualTo("124d0a0f0801120b64656661756c742f776562123a" + SERVICE);
  }

  @Test
  void endpoints() {
    Endpoint other = endpoint("http").setScopes(everywhere()).build();
    assertThat(hex(other)).isEqualTo(ENDPOINT);
    assertThat(hash(other)).isEqualTo("85971883ef7b0427");
    Endpoint own = endpoint("").setLocal(true).setScopes(everywhere()).build();
    assertThat(hex(own)).isEqualTo(LOCAL_ENDPOINT);
    assertThat(hash(own)).isEqualTo("5025e3388e84402d");
  }

  @Test
  void globalMessages() {
    EndpointInfo info =
        EndpointInfo.newBuilder()
            .setEndpoint(endpoint("http"))
            .setConditions(EndpointConditions.newBuilder().setReady(true))
            .setTopology(TopologyInfo.newBuilder().setNode("n1"))
            .build();
    assertThat(hex(info))
        .isEqualTo("3217120a0a0831302e312e322e3322090a046874747010903f3a0208014a040a026e31");
    assertThat(hash(info)).isEqualTo("43e47bd059bc553");
    Node node =
        Node.newBuilder()
            .setName("n1")
            .putLabels("kubernetes.io/hostname", "n1")
            .setTopology(TopologyInfo.newBuilder().setNode("n1").setZone("z1"))
            .build();
    assertThat(hex(node))
        .isEqualTo(
            "0a026e31121c0a166b756265726e657465732e696f2f686f73746e616d6512026e31"
                + "22080a026e3112027a31");
    assertThat(hash(node)).isEqualTo("476fd3d001171940");
  }

  @Test
  void ourServicesStartWithKpngs() throws WireException {
    EncodedService ours = EncodedService.of(Samples.web("http"));
    Service message = StreamValues.parse(ours.set().message().getSet(), Service.parser());
    assertThat(hex(message)).startsWith(SERVICE);
    assertThat(hex(message.toBuilder().clearDecision().build())).isEqualTo(SERVICE);
  }

  @Test
  void ourEndpointsStartWithKpngs() throws WireException {
    assertThat(hex(onlyEndpoint("http", "n2"))).startsWith(ENDPOINT);
    assertThat(hex(onlyEndpoint("", "n1"))).startsWith(LOCAL_ENDPOINT);
  }

  private static Endpoint onlyEndpoint(String portName, String node) throws WireException {
    List<EncodedEndpoint> all = EncodedService.of(Samples.web(portName)).endpoints();
    assertThat(all).hasSize(1);
    return StreamValues.parse(all.getFirst().set(node).message().getSet(), Endpoint.parser());
  }
}

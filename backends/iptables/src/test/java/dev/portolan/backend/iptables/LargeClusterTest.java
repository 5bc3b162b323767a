package dev.portolan.backend.iptables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.backend.iptables.IptablesOptions.Variant;
import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.AddressType;
import dev.portolan.core.cluster.EndpointSlice.Conditions;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.netlink.lab.TestNamespace;
import dev.portolan.testbase.NeedsKernel;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** More services than one commit of iptables-nft has. */
@NeedsKernel(tools = {"ip", "iptables-nft-restore", "iptables-legacy-restore"})
class LargeClusterTest {
  private static final int SERVICES = 700;
  private static final NamespacedName LAST = new NamespacedName("large", "zzz");

  private final TestNamespace namespace = new TestNamespace();
  private final TestNamespace other = new TestNamespace();
  private final Brain brain = new Brain(warning -> {});
  private final NodeView view =
      brain.open("node", NodeSettings.DEFAULT.with(Set.of(IpFamily.IPV4)));

  @AfterEach
  void close() {
    namespace.close();
    other.close();
  }

  @ParameterizedTest
  @EnumSource(
      value = Variant.class,
      names = {"NFT", "LEGACY"})
  void itComesAndChangesAndGoesAsIfWrittenAtOnce(Variant variant) {
    IptablesOptions options = IptablesOptions.DEFAULT.with(variant).in(namespace.path());
    load();
    try (IptablesBackend backend = new IptablesBackend(options)) {
      NodeImage first = view.image();
      backend.sync(NodeChange.to(first));
      assertThat(nat(namespace, variant)).isEqualTo(writtenAtOnce(variant, options));

      ClusterDelta.Builder change = ClusterDelta.builder();
      for (int i = 0; i < SERVICES; i++) {
        change = i % 10 == 0 ? change.removeService(service(i).name()) : change.set(slice(i, 1));
      }
      brain.apply(change.build());
      NodeImage second = view.image();
      backend.sync(NodeChange.between(first, second));
      backend.tidy();
      assertThat(nat(namespace, variant)).isEqualTo(writtenAtOnce(variant, options));
      assertThat(backend.counts().of(IpFamily.IPV4).fullRestores()).isEqualTo(1);
    }

    ClusterDelta.Builder more = ClusterDelta.builder();
    for (int i = 0; i < SERVICES; i++) {
      more = i % 2 == 0 ? more.removeService(service(i).name()) : more.set(slice(i, 2));
    }
    brain.apply(more.build());
    try (IptablesBackend next = new IptablesBackend(options)) {
      next.sync(NodeChange.to(view.image()));
      assertThat(nat(namespace, variant)).isEqualTo(writtenAtOnce(variant, options));
      next.cleanup();
      assertThat(Saved.read(variant, IpFamily.IPV4, namespace::run).ours()).isEmpty();
    }
  }

  private void load() {
    ClusterDelta.Builder all = ClusterDelta.builder();
    for (int i = 0; i < SERVICES; i++) {
      all.set(service(i)).set(slice(i, 0));
    }
    brain.apply(all.build());
  }

  @Test
  void whereALaterPartIsRejectedNoServiceIsHalfThereAndTheNextSyncHealsIt() {
    IptablesOptions options = IptablesOptions.DEFAULT.with(Variant.NFT).in(namespace.path());
    load();
    NodeImage good = view.image();
    NodeImage bad =
        NodeImage.of(
            good.revision(), good.facts(), good.services().base().with(LAST, impossible(good)));
    try (IptablesBackend backend = new IptablesBackend(options)) {
      assertThatThrownBy(() -> backend.sync(NodeChange.to(bad)))
          .isInstanceOf(BackendException.class)
          .hasMessageContaining("in table nat for large/zzz: ")
          .hasMessageEndingWith(
              "; services in earlier parts have their new rules, all others their previous ones");
      Map<String, List<String>> half = nat(namespace, Variant.NFT);
      assertThat(half.keySet()).anyMatch(Chains::isOfService).doesNotContain(Chains.SERVICES);
      Map<String, List<String>> wanted = writtenAtOnce(Variant.NFT, options);
      half.forEach((chain, rules) -> {
        if (Chains.isOfService(chain)) {
          assertThat(rules).isEqualTo(wanted.get(chain));
        }
      });

      backend.sync(NodeChange.to(good));
      assertThat(nat(namespace, Variant.NFT)).isEqualTo(wanted);
    }
  }

  /** A service at a port that there is not. */
  private static NodeService impossible(NodeImage image) {
    NodeService like = image.services().base().get(service(0).name());
    ServicePort port = like.ports().getFirst();
    return new NodeService(
        LAST,
        like.type(),
        0,
        0,
        List.of(
            new ServicePort(
                new ServicePortName(LAST, "", Protocol.TCP),
                ServiceAddress.list(Ip.of("10.96.200.1"), 70_000, List.of(), List.of(), 0),
                List.of(),
                0,
                port.routes(),
                port.cluster(),
                port.local(),
                port.serving())));
  }

  /** The same state, written into another namespace by iptables-restore in one commit. */
  private Map<String, List<String>> writtenAtOnce(Variant variant, IptablesOptions options) {
    String restore = Saved.program(variant, IpFamily.IPV4, "restore");
    String text = IptablesText.render(view.image(), IpFamily.IPV4, options);
    assertThat(text.lines().filter("COMMIT"::equals)).hasSize(3);
    other.runWithInput(text, restore);
    return nat(other, variant);
  }

  private static Map<String, List<String>> nat(TestNamespace place, Variant variant) {
    return Saved.read(variant, IpFamily.IPV4, place::run).tables().get(Chains.NAT);
  }

  private static Service service(int i) {
    return Service.named("large", "s" + i)
        .clusterIps(List.of("10.96." + i / 250 + "." + (1 + i % 250)))
        .ports(List.of(new Service.Port("", Protocol.TCP, 80, 30_000 + i)))
        .build();
  }

  /** Three endpoints, of which the last one is another in each version. */
  private static EndpointSlice slice(int i, int version) {
    List<EndpointSlice.Member> members =
        Stream.of(1, 2, 3 + version)
            .map(last ->
                new EndpointSlice.Member(
                    List.of("10.244." + i % 250 + "." + (10 * (i / 250) + last)),
                    Conditions.READY,
                    "other",
                    "",
                    List.of(),
                    List.of(),
                    ""))
            .toList();
    return new EndpointSlice(
        new NamespacedName("large", "s" + i),
        "s" + i,
        AddressType.IPV4,
        List.of(new EndpointSlice.Port("", Protocol.TCP, 8080)),
        members,
        false,
        null);
  }

  @Test
  void partsEndWhereTheyMayAndLinesAreFoundInThem() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    write(RestoreWriter.to(bytes).inParts(true));
    List<String> lines = bytes.toString(StandardCharsets.ISO_8859_1).lines().toList();
    assertThat(lines.stream().filter("COMMIT"::equals)).hasSize(3);
    assertThat(lines.stream().filter("*nat"::equals)).hasSize(3);

    int last = lines.indexOf("-X C14999");
    RestoreWriter again = RestoreWriter.lookingFor(last + 1).inParts(true);
    write(again);
    assertThat(again.found()).isEqualTo(new RestoreWriter.Line("-X C14999", "nat", "", 2));

    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    write(RestoreWriter.to(whole));
    assertThat(whole.toString(StandardCharsets.ISO_8859_1).lines().filter("COMMIT"::equals))
        .hasSize(1);
  }

  private static void write(RestoreWriter out) {
    out.begin("nat");
    out.remove(
        List.of(), Stream.iterate(0, i -> i < 15_000, i -> i + 1).map(i -> "C" + i).toList());
    out.commit();
    out.flush();
  }
}

package dev.portolan.netlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.netlink.lab.CarrierNamespaces;
import dev.portolan.netlink.lab.TestNamespace;
import dev.portolan.testbase.Await;
import dev.portolan.testbase.NeedsKernel;
import dev.portolan.testbase.OwnJvm;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Visits to another network namespace. */
@NeedsKernel
final class NetworkNamespaceTest {
  @AutoClose private final TestNamespace place = new TestNamespace();

  @Test
  void aVisitorSeesTheNamespaceAndNobodyElseIsMoved() throws Exception {
    place.ip("link", "add", "only-there", "type", "veth", "peer", "name", "other-end");
    place.ip("address", "add", "192.0.2.1/32", "dev", "only-there");
    assertThat(place.namespace().visit(() -> NetworkInterface.getByName("only-there"))).isNotNull();
    assertThat(NetworkInterface.getByName("only-there")).isNull();
  }

  @Test
  void aSocketOpenedThereBelongsThere() throws Exception {
    place.ip("address", "add", "192.0.2.77/32", "dev", "lo");
    InetSocketAddress address = new InetSocketAddress(InetAddress.getByName("192.0.2.77"), 0);
    try (DatagramSocket socket = place.namespace().visit(() -> new DatagramSocket(address))) {
      assertThat(socket.getLocalPort()).isPositive();
    }
  }

  @Test
  void whatAVisitThrowsIsThrown() {
    assertThatThrownBy(() ->
            place
                .namespace()
                .visit(() -> {
                  throw new IOException("inside");
                }))
        .isInstanceOf(IOException.class)
        .hasMessage("inside");
  }

  @Test
  void aNamespaceThatIsNotThereIsNamed() {
    assertThatThrownBy(() -> NetworkNamespace.named("pt-none").visit(() -> 1))
        .isInstanceOf(NetlinkException.class)
        .hasMessageContaining("/run/netns/pt-none")
        .hasMessageContaining("ENOENT");
    assertThatThrownBy(() ->
            NetlinkSocket.open(NetlinkSocket.ROUTE, Optional.of(Path.of("/proc/self/status"))))
        .isInstanceOf(NetlinkException.class)
        .hasMessageContaining("EINVAL");
  }

  @Test
  void anInterruptReachesTheVisitor() throws Exception {
    Thread waiting =
        Thread.ofPlatform()
            .start(() -> {
              try {
                place
                    .namespace()
                    .visit(() -> {
                      Thread.sleep(60_000);
                      return 1;
                    });
              } catch (InterruptedException e) {
                // as wanted
              }
            });
    Thread.sleep(50);
    waiting.interrupt();
    assertThat(waiting.join(Await.PATIENCE)).isTrue();
  }

  /** CAP_NET_ADMIN is enough to change a namespace, but not to enter one. */
  @Test
  void theMissingCapabilityIsNamed() throws Exception {
    List<String> words = new ArrayList<>(List.of("setpriv", "--bounding-set=-sys_admin"));
    words.addAll(
        OwnJvm.words(
            List.of("--enable-native-access=ALL-UNNAMED"),
            Entering.class,
            place.path().orElseThrow().toString()));
    assertThat(OwnJvm.run(words).orThrow())
        .contains("cannot enter network namespace", "EPERM", "CAP_SYS_ADMIN is needed")
        .doesNotContain("CAP_NET_ADMIN");
  }

  /** Enters a namespace in a process of its own, and prints what comes of it. */
  static final class Entering {
    public static void main(String[] args) {
      try {
        System.out.println(new NetworkNamespace(Path.of(args[0])).visit(() -> "entered"));
      } catch (NetlinkException e) {
        System.out.println(e.getMessage());
      }
    }
  }

  @Test
  void whoWaitsForAVisitStaysOutside() throws Exception {
    assertThat(CarrierNamespaces.of(Waiting.class, place)).containsExactly(CarrierNamespaces.own());
  }

  /** Has virtual threads wait for visits that end at once. */
  static final class Waiting {
    public static void main(String[] args) throws InterruptedException {
      NetworkNamespace namespace = new NetworkNamespace(Path.of(args[0]));
      CarrierNamespaces.print(all -> {
        boolean _ =
            namespace.visit(() -> {
              all.await();
              return true;
            });
      });
    }
  }
}

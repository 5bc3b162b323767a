package dev.portolan.backend.userspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.core.net.IpFamily;
import dev.portolan.netlink.lab.CarrierNamespaces;
import dev.portolan.netlink.lab.TestNamespace;
import dev.portolan.testbase.NeedsKernel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sockets of another network namespace. */
@NeedsKernel
@Timeout(60)
final class SocketsTest {
  @AutoClose private final TestNamespace place = new TestNamespace();

  private Sockets sockets() {
    return new Sockets(Optional.of(place.namespace().path()));
  }

  @Test
  void noThreadThatCarriesOthersIsInTheNamespace() throws Exception {
    assertThat(CarrierNamespaces.of(Waiters.class, place)).containsExactly(CarrierNamespaces.own());
  }

  /** Has virtual threads wait for sockets that they get at once. */
  static final class Waiters {
    public static void main(String[] args) throws InterruptedException {
      try (Sockets sockets = new Sockets(Optional.of(Path.of(args[0])))) {
        CarrierNamespaces.print(all ->
            sockets
                .open(() -> {
                  awaitUninterrupted(all);
                  return SocketChannel.open();
                })
                .close());
      }
    }

    private static void awaitUninterrupted(CountDownLatch all) {
      try {
        all.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Test
  void nobodyWaitsForASocketAfterTheEnd() throws Exception {
    Sockets sockets = sockets();
    sockets.tcp(IpFamily.IPV4).close();
    sockets.close();
    assertThatThrownBy(
            () -> {
              while (true) {
                sockets.tcp(IpFamily.IPV4).close();
              }
            })
        .isInstanceOf(ClosedChannelException.class);
  }
}

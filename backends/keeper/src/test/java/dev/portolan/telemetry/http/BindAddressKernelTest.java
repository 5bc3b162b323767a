package dev.portolan.telemetry.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.net.Ip;
import dev.portolan.netlink.lab.TestNamespace;
import dev.portolan.testbase.NeedsKernel;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which families a port is open in, asked of a kernel. */
@NeedsKernel
final class BindAddressKernelTest {
  private static final int PORT = 10256;

  @AutoClose private final TestNamespace place = new TestNamespace();

  @BeforeEach
  void addSecondAddress() {
    place.ip("address", "add", "127.1.1.1/8", "dev", "lo");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0:10256", "[::]:10256", ":10256"})
  void noAddressMeansBothFamilies(String text) throws IOException {
    place
        .namespace()
        .visit(() -> {
          try (ServerSocketChannel _ = BindAddress.parse(text).open(9)) {
            assertThat(connects("127.0.0.1")).isTrue();
            assertThat(connects("127.1.1.1")).isTrue();
            assertThat(connects("::1")).isTrue();
          }
          return null;
        });
  }

  @Test
  void oneFamilyLeavesTheOtherFree() throws IOException {
    place
        .namespace()
        .visit(() -> {
          try (ServerSocketChannel _ = BindAddress.everyIpv4(PORT).open(9)) {
            assertThat(connects("127.1.1.1")).isTrue();
            assertThat(connects("::1")).isFalse();
            try (ServerSocketChannel _ = BindAddress.only(Ip.of("::1"), PORT).open(9)) {
              assertThat(connects("::1")).isTrue();
            }
          }
          return null;
        });
  }

  @Test
  void oneAddressLeavesTheOthersFree() throws IOException {
    place
        .namespace()
        .visit(() -> {
          try (ServerSocketChannel _ = BindAddress.parse("127.0.0.1:" + PORT).open(9)) {
            assertThat(connects("127.0.0.1")).isTrue();
            assertThat(connects("127.1.1.1")).isFalse();
            try (ServerSocketChannel _ = BindAddress.only(Ip.of("127.1.1.1"), PORT).open(9)) {
              assertThat(connects("127.1.1.1")).isTrue();
            }
          }
          return null;
        });
  }

  private static boolean connects(String address) throws IOException {
    try (Socket _ = new Socket(InetAddress.getByName(address), PORT)) {
      return true;
    } catch (ConnectException e) {
      return false;
    }
  }
}

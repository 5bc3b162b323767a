package dev.portolan.testbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class FreePortTest {
  @Test
  void noPortComesTwiceAndEachCanBeTaken() throws Exception {
    Set<Integer> ports = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      int port = FreePort.next();
      assertThat(ports.add(port)).as("%s is another", port).isTrue();
      try (ServerSocket server = new ServerSocket(port)) {
        assertThat(server.getLocalPort()).isEqualTo(port);
      }
    }
  }
}

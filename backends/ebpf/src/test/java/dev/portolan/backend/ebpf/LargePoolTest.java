package dev.portolan.backend.ebpf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.net.Ip;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/**
 * Enough endpoints that comparing each with each other would not end within the timeout; looking at
 * each once takes a small part of it.
 */
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class LargePoolTest {
  private static final int ENDPOINTS = 300_000;

  private static String[] addresses(int first, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> Ip.v4(first + i).toString())
        .toArray(String[]::new);
  }

  @Test
  void isWrittenWithThoseThatOnlyServe() {
    SocketTable table =
        SocketTable.of(
            Sample.image(
                Sample.udp("dns", "10.96.0.10", 53)
                    .to(addresses(0x0a640000, ENDPOINTS))
                    .serving(addresses(0x0b640000, 10))));
    assertThat(table.pools().values())
        .hasSize(1)
        .allSatisfy(members -> {
          assertThat(members.chosen().size()).isEqualTo(ENDPOINTS);
          assertThat(members.serving().size()).isEqualTo(10);
        });
  }
}

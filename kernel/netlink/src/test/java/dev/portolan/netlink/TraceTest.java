package dev.portolan.netlink;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TraceTest {
  @Test
  void aMessageIsOneLine() {
    MessageWriter writer = new MessageWriter();
    writer.begin(2561, MessageWriter.REQUEST | MessageWriter.ACK, 7).raw(2, 0, 0, 10).end();
    MessageReader reader = new MessageReader(writer.array(), writer.length());
    assertThat(Trace.line(reader.next().orElseThrow()))
        .isEqualTo("type 2561 flags 0x0005 sequence 7 0200000a");
  }
}

package dev.portolan.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MemoryShortageTest {
  @Test
  void theLimitAndTheRemedyAreSaid() {
    assertThat(MemoryShortage.sentence(512))
        .isEqualTo(
            "out of memory: the heap is limited to 512 MB, by default a quarter of the memory of"
                + " the machine or container; raise that, or set JAVA_TOOL_OPTIONS=-Xmx1024m"
                + " [PORT-501]");
  }
}

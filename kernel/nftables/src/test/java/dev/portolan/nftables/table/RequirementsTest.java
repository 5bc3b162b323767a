package dev.portolan.nftables.table;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class RequirementsTest {
  @Test
  void anOldKernelIsNamedWithWhatToDo() {
    assertThatThrownBy(() -> Requirements.checkKernel("Linux", "5.10.0-21-amd64"))
        .hasMessage(
            "nftables: needs kernel 5.13 or later, this is 5.10.0-21-amd64; update the kernel or"
                + " use another backend");
    Requirements.checkKernel("Linux", "5.13.0");
    Requirements.checkKernel("Linux", "6.1.0-18");
  }
}

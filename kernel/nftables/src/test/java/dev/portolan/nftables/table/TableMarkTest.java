package dev.portolan.nftables.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.core.backend.BackendException;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.nftables.Nftables.TableInfo;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whose a table is, as its comment says. */
final class TableMarkTest {
  private static TableInfo table(AddressFamily family, String name, String comment) {
    return new TableInfo(family, name, comment, false);
  }

  @Test
  void theCommentDecidesAndNotTheName() {
    assertThat(TableMark.isOn(table(AddressFamily.IPV4, "any", TableMark.TEXT))).isTrue();
    assertThat(TableMark.isOn(table(AddressFamily.IPV4, "portolan", ""))).isFalse();
  }

  @Test
  void tablesOfOthersAreNamed() {
    TableInfo four = table(AddressFamily.IPV4, "portolan", "");
    TableInfo six = table(AddressFamily.IPV6, "portolan", "");
    assertThatThrownBy(() -> TableMark.check(List.of(four)))
        .isInstanceOf(BackendException.class)
        .hasMessageStartingWith("nftables: table ip portolan belongs to another program: ");
    assertThatThrownBy(() -> TableMark.check(List.of(four, six)))
        .hasMessageStartingWith("nftables: table ip portolan and table ip6 portolan belong to ");
  }

  @Test
  void thoseOfKubeProxyMayBeTakenOver() {
    TableInfo old = table(AddressFamily.IPV4, "kube-proxy", "rules for kube-proxy");
    assertThatCode(() -> TableMark.check(List.of(old))).doesNotThrowAnyException();
    assertThatCode(() -> TableMark.check(List.of())).doesNotThrowAnyException();
  }
}

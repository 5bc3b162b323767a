package dev.portolan.backend.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.netlink.lab.TestNamespace;
import dev.portolan.testbase.NeedsKernel;
import org.junit.jupiter.api.Test;

/** Lines of iptables-save as words. */
final class RuleWordsTest {
  @Test
  void aQuotedWordHidesOptions() {
    assertThat(RuleWords.of("-A INPUT -m comment --comment \"a \\\" -j KUBE\" -j X"))
        .containsExactly(
            "-A", "INPUT", "-m", "comment", "--comment", "\"a \" -j KUBE\"", "-j", "X");
  }

  @Test
  void anEscapedBackslashEscapesNothing() {
    assertThat(RuleWords.of("--comment \"a\\\\\" -j X"))
        .containsExactly("--comment", "\"a\\\"", "-j", "X");
  }

  /** The programs escape quotes and backslashes with a backslash, which is not part of the text. */
  @Test
  @NeedsKernel(tools = {"ip", "iptables-nft"})
  void whatIptablesEscapesIsReadBack() {
    String comment = "a \\ \" -j KUBE 'b'";
    try (TestNamespace place = new TestNamespace()) {
      place.run("iptables-nft", "-A", "INPUT", "-m", "comment", "--comment", comment, "-j", "DROP");
      String saved =
          place
              .run("iptables-nft-save")
              .lines()
              .filter(line -> line.startsWith("-A INPUT"))
              .findFirst()
              .orElseThrow();
      assertThat(RuleWords.of(saved))
          .containsExactly(
              "-A", "INPUT", "-m", "comment", "--comment", "\"" + comment + "\"", "-j", "DROP");
    }
  }
}

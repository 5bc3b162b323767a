package dev.portolan.backend.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.net.IpFamily;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which rules of a kernel count as those that a restore would write. */
final class RulePreviewTest {
  private static final String SERVICE = "KUBE-SVC-AAAAAAAAAAAAAAAA";
  private static final String LAST =
      "-m comment --comment \"kubernetes service nodeports; NOTE: this must be the last rule in"
          + " this chain\" -m addrtype --dst-type LOCAL -j KUBE-NODEPORTS";

  @Test
  void aRuleIsTheSameInTheSpellingOfIptables() {
    assertThat(
            changes(
                SERVICE,
                List.of(
                    "! -s 10.244.1.0/24 -d 10.96.20.10/32 -p tcp -m comment --comment \"a/b cluster"
                        + " IP\" -m tcp --dport 80 -j KUBE-MARK-MASQ",
                    "-m statistic --mode random --probability 0.33333333349 -j ONE",
                    "-m recent --rcheck --seconds 10 --reap --name ONE --mask 255.255.255.255"
                        + " --rsource -j ONE",
                    "-j MARK --set-xmark 0x4000/0x4000",
                    "-d 10.0.0.1/32 -j REJECT --reject-with icmp-port-unreachable",
                    "-m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT"),
                List.of(
                    "-m comment --comment \"a/b cluster IP\" -m tcp -p tcp -d 10.96.20.10 --dport"
                        + " 80 ! -s 10.244.1.0/24 -j KUBE-MARK-MASQ",
                    "-m statistic --mode random --probability 0.3333333333 -j ONE",
                    "-m recent --name ONE --rcheck --seconds 10 --reap -j ONE",
                    "-j MARK --or-mark 0x4000",
                    "-d 10.0.0.1 -j REJECT",
                    "-m conntrack --ctstate ESTABLISHED,RELATED -j ACCEPT")))
        .isEmpty();
  }

  @Test
  void rulesOfAServiceThatAreSwappedMove() {
    String one = "-m statistic --mode random --probability 0.5 -j ONE";
    assertThat(changes(SERVICE, List.of("-j TWO", one), List.of(one, "-j TWO")))
        .containsExactly("+ " + one, "+ -j TWO", "- -j TWO", "- " + one);
    assertThat(
            changes(
                SERVICE,
                List.of("-j MASQ", "-j TWO", one, "-j GONE", "-j END"),
                List.of("-j MASQ", one, "-j TWO", "-j NEW", "-j END")))
        .containsExactly("+ -j NEW", "+ " + one, "+ -j TWO", "- -j GONE", "- -j TWO", "- " + one);
  }

  @Test
  void inASharedChainServicesMayStandInAnyOrderButNotBehindTheLastRule() {
    String one = "-m comment --comment \"a/one cluster IP\" -d 10.0.0.1/32 -j ONE";
    String two = "-m comment --comment \"a/two cluster IP\" -d 10.0.0.2/32 -j TWO";
    assertThat(changes(Chains.SERVICES, List.of(one, two, LAST), List.of(two, one, LAST)))
        .isEmpty();
    assertThat(changes(Chains.SERVICES, List.of(one, LAST, two), List.of(one, two, LAST)))
        .contains("+ " + LAST, "- " + LAST);
  }

  @Test
  void portsOfSourceAndDestinationAreNotTheSame() {
    assertThat(
            changes(
                SERVICE,
                List.of("-p tcp -m tcp --sport 80 --dport 90 -j ONE"),
                List.of("-p tcp -m tcp --sport 90 --dport 80 -j ONE")))
        .hasSize(2);
  }

  @Test
  void whatIsNegatedMatters() {
    assertThat(
            changes(
                SERVICE,
                List.of("! -s 10.0.0.0/8 -d 10.0.0.0/8 -j ONE"),
                List.of("-s 10.0.0.0/8 ! -d 10.0.0.0/8 -j ONE")))
        .hasSize(2);
  }

  @Test
  void anOptionStaysWithItsMatchAndAnAnswerThatIsNotTheUsualOneCounts() {
    assertThat(
            changes(
                SERVICE,
                List.of("-m recent --name A --set -m recent --name B --rcheck -j ONE"),
                List.of("-m recent --name B --set -m recent --name A --rcheck -j ONE")))
        .hasSize(2);
    assertThat(
            changes(
                SERVICE,
                List.of("-d 10.0.0.1/32 -p tcp -j REJECT --reject-with tcp-reset"),
                List.of("-d 10.0.0.1 -p tcp -j REJECT")))
        .hasSize(2);
  }

  private static List<String> changes(String chain, List<String> there, List<String> wanted) {
    RulePreview preview = new RulePreview(IpFamily.IPV4);
    preview.there("*nat");
    preview.there(":" + chain + " - [0:0]");
    there.forEach(rule -> preview.there("-A " + chain + " " + rule));
    preview.there("COMMIT");
    preview.wanted("*nat");
    preview.wanted(":" + chain + " - [0:0]");
    wanted.forEach(rule -> preview.wanted("-A " + chain + " " + rule));
    preview.wanted("COMMIT");
    String start = "rule nat " + chain + " (IPv4) ";
    return preview.lines().stream().map(line -> line.replace(start, "")).toList();
  }
}

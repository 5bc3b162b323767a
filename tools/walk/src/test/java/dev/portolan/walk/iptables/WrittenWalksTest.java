package dev.portolan.walk.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Verdict;
import dev.portolan.walk.FirstPacket;
import dev.portolan.walk.NodeNetwork;
import dev.portolan.walk.WalkResult;
import dev.portolan.walk.WrittenNetwork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Walks that are written down: files with rules as iptables-save prints them, and packets with what
 * becomes of them. Each file is of one family, that of its packets.
 */
class WrittenWalksTest {
  private static final Path FOLDER = Path.of("src/test/resources/walks");
  private static final Pattern PACKET =
      Pattern.compile("from (\\S+)(?: through (\\S+))? to (\\S+)/(\\w+) +-> (.*)");

  private static final NodeNetwork HOST =
      new WrittenNetwork()
          .with("cni0", "10.244.1.1/24", "fd10:244:1::1/64")
          .with("eth0", "172.18.0.11/16", "fd12::11/64")
          .leadingOut()
          .network();

  static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void aWalkEndsAsItsFileSays(Path file) throws IOException {
    String[] sections = Files.readString(file).split("-- packets --\n", -1);
    assertThat(sections).hasSize(2);
    List<String> rules = sections[0].lines().toList();
    IptablesRuleset ruleset =
        new IptablesRuleset(
            "text", Map.of(IpFamily.IPV4, rules, IpFamily.IPV6, rules), HOST, AddressSets.NONE);
    List<String> expected = new ArrayList<>();
    List<String> actual = new ArrayList<>();
    for (String line : sections[1].lines().filter(it -> it.startsWith("from")).toList()) {
      Matcher matcher = PACKET.matcher(line);
      assertThat(matcher.matches()).as(line).isTrue();
      expected.add(line);
      actual.add(line.substring(0, matcher.start(5)) + text(ruleset.walk(packet(matcher))));
    }
    assertThat(actual).isNotEmpty().isEqualTo(expected);
  }

  private static FirstPacket packet(Matcher matcher) {
    String to = matcher.group(3);
    int colon = to.lastIndexOf(':');
    return new FirstPacket(
        Ip.of(matcher.group(1)),
        40_000,
        Ip.of(to.substring(0, colon).replaceAll("[\\[\\]]", "")),
        Integer.parseInt(to.substring(colon + 1)),
        Protocol.valueOf(matcher.group(4).toUpperCase(Locale.ROOT)),
        Optional.ofNullable(matcher.group(2)));
  }

  private static String text(WalkResult result) {
    String remark = result.remark().isEmpty() ? "" : " (" + result.remark() + ")";
    if (result.verdict() != Verdict.FORWARD) {
      return result.verdict() + remark;
    }
    return result.ways().stream()
            .map(way ->
                way.address().withPort(way.port())
                    + String.format(Locale.ROOT, " %.0f%%", 100 * way.share())
                    + (way.masquerade() ? " masqueraded" : "")
                    + (way.remembered() ? " remembered" : ""))
            .collect(Collectors.joining(", "))
        + remark;
  }
}

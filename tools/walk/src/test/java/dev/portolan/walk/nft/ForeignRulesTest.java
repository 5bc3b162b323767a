package dev.portolan.walk.nft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Verdict;
import dev.portolan.lab.Lab;
import dev.portolan.testbase.NeedsKernel;
import dev.portolan.walk.FirstPacket;
import dev.portolan.walk.WalkResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rules of anybody, written as nft takes them, and packets that are walked through them. */
@NeedsKernel(tools = {"ip", "nft"})
class ForeignRulesTest {
  private static final Path FOLDER = Path.of("src/test/resources/nft-walks");
  private static final Pattern LINE =
      Pattern.compile("(\\S+) (\\S+) to \\[?([^\\]]+?)\\]?:(\\d+)/(\\w+) -> (.*)");
  @AutoClose private static Lab lab;

  @BeforeAll
  static void build() {
    lab = Lab.open();
  }

  static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void packetsEndAsTheFileSays(Path file) throws IOException {
    String[] parts = Files.readString(file).split("-- (?:rules|packets) --\n", 3);
    lab.node().execWith("flush ruleset\n" + parts[1], "nft", "-f", "-");
    NftRuleset rules = NftRuleset.read(Optional.of(lab.node().path()));
    List<String> wrong = new ArrayList<>();
    for (String line : parts[2].lines().toList()) {
      Matcher matcher = LINE.matcher(line);
      assertThat(matcher.matches()).as(line).isTrue();
      FirstPacket packet =
          new FirstPacket(
              Ip.of(matcher.group(2)),
              40000,
              Ip.of(matcher.group(3)),
              Integer.parseInt(matcher.group(4)),
              Protocol.valueOf(matcher.group(5).toUpperCase(Locale.ROOT)),
              Optional.of(matcher.group(1)).filter(link -> !link.equals("node")));
      String walked = text(rules.walk(packet));
      if (!walked.equals(matcher.group(6))) {
        wrong.add(line + "\n  but walked " + walked);
      }
    }
    assertThat(wrong).isEmpty();
  }

  private static String text(WalkResult result) {
    String ways =
        result.ways().stream()
            .map(way ->
                way.address().withPort(way.port())
                    + " "
                    + Math.round(way.share() * 100)
                    + "%"
                    + (way.masquerade() ? " masqueraded" : "")
                    + (way.remembered() ? " remembered" : ""))
            .collect(Collectors.joining(", "));
    return result.verdict()
        + (result.verdict() == Verdict.FORWARD ? " " + ways : "")
        + (result.remark().isEmpty() ? "" : "; " + result.remark());
  }
}

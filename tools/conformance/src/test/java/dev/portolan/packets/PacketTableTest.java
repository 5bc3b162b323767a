package dev.portolan.packets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The packet table by itself, and against the brain's explainer. */
class PacketTableTest {
  private static final Path FOLDER = Path.of("src/main/resources/packets");
  private static final int AT_LEAST = 400;

  @ParameterizedTest
  @MethodSource("dev.portolan.packets.PacketTable#all")
  void theExplainerAgrees(PacketTable table) {
    Trial.Report report = Trial.run(table, new ExplainerJudge());
    report.orThrow();
    assertThat(report.skipped()).isEmpty();
  }

  @Test
  void everyFileIsInTheIndex() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(
              Stream.concat(
                      Stream.of("index", "cluster.yaml"),
                      PacketTable.names().stream().map(name -> name + ".packets"))
                  .toList());
    }
  }

  @Test
  void everyOutcomeIsTriedInEachProtocolAndFamily() {
    List<Packet> packets =
        PacketTable.all().stream().flatMap(table -> table.packets().stream()).toList();
    assertThat(packets).hasSizeGreaterThanOrEqualTo(AT_LEAST);
    for (Protocol protocol : Protocol.values()) {
      for (IpFamily family : IpFamily.values()) {
        for (Verdict verdict : List.of(Verdict.FORWARD, Verdict.REJECT, Verdict.DROP)) {
          assertThat(packets)
              .as("%s %s %s", protocol, family, verdict)
              .anyMatch(packet ->
                  packet.protocol() == protocol
                      && packet.family() == family
                      && packet.expected().verdict() == verdict);
        }
      }
    }
  }

  @Test
  void theExampleInTheGuideHolds() throws IOException {
    String guide = Files.readString(Path.of("../../workshop/lab.md"));
    String start = "    Clients other than";
    String example = guide.substring(guide.indexOf(start), guide.indexOf("\n| outcome"));
    PacketTable table = PacketTable.parse("workshop/lab.md", example.replaceAll("(?m)^    ", ""));
    assertThat(table.packets()).hasSize(6);
    Trial.run(table, new ExplainerJudge()).orThrow();
  }

  @Test
  void aRowReadsAsItIsWritten() {
    String row = "from pod-a1 to 10.96.0.20:80/tcp -> pod-a1,pod-b1:9090 masqueraded-to pod-a1";
    PacketTable table =
        PacketTable.parse("x.packets", "It reads.\n-- packets --\n" + row + "  # why\n");
    assertThat(table.name()).isEqualTo("x");
    assertThat(table.packets()).hasToString("[" + row + "]");
    assertThat(table.packets().getFirst().place()).isEqualTo("x.packets:3");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          from nobody to 10.96.0.20:80/tcp -> drop                        | 'nobody' is not a valid client
          from router to 10.96.0.20:80/tcp -> drop                        | 'router' is not a valid client
          from node to 10.96.0.20:80 -> drop                              | '10.96.0.20:80' is not a valid target
          from node to lab/web:80/tcp -> drop                             | 'lab/web:80/tcp' is not a valid target
          from node to 10.96.0.20:99999/tcp -> drop                       | not a port
          from node to 10.96.0.20:80/tcp -> dropped                       | an outcome is
          from node to 10.96.0.20:80/tcp -> pod-a1                        | an outcome is
          from node to 10.96.0.20:80/tcp -> node masqueraded              | 'node' is not a valid pod
          from node to 10.96.0.20:80/tcp -> pod-a1:8080 masqueraded       | 'pod-a1:8080' is not a valid pod
          from node to 10.96.0.20:80/tcp -> pod-a1,pod-a1 masqueraded     | names a pod twice
          from node to 10.96.0.20:80/tcp -> pod-a1 masqueraded-to pod-a2  | does not go to
          to 10.96.0.20:80/tcp from node -> drop                          | a row is
          -- options --                                                   | after the description
          """)
  void aMistakeIsSaidWithItsLine(String row, String message) {
    assertThatThrownBy(() -> PacketTable.parse("x.packets", "It fails.\n-- packets --\n" + row))
        .isInstanceOf(PacketTableException.class)
        .hasMessageStartingWith("x.packets:3: ")
        .hasMessageContaining(message);
  }

  @Test
  void theSameRowTwiceIsAMistake() {
    String row = "from node to 10.96.0.20:80/tcp -> drop\n";
    assertThatThrownBy(() -> PacketTable.parse("x", "It fails.\n-- packets --\n" + row + row))
        .hasMessageStartingWith("x:4: ")
        .hasMessageContaining("is a duplicate of x:3");
  }

  @Test
  void anUnknownOptionIsAMistake() {
    assertThatThrownBy(
            () -> PacketTable.parse("x", "It fails.\n-- options --\nspeed: high\n-- packets --\n"))
        .hasMessage("x:3: unknown option 'speed'");
  }

  @Test
  void aWrongExpectationIsFound() {
    PacketTable table =
        PacketTable.parse(
            "x.packets",
            "It fails.\n-- packets --\nfrom pod-a3 to 10.96.0.21:80/tcp -> pod-a1 masqueraded\n");
    assertThat(Trial.run(table, new ExplainerJudge()).failures())
        .singleElement()
        .asString()
        .contains("x.packets:3: from pod-a3", "but got  pod-a1 not-masqueraded");
  }
}

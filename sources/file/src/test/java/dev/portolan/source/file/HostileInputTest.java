package dev.portolan.source.file;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.text.FileText;
import dev.portolan.text.TextException;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Malformed and hostile input, all the way from bytes to a decision: nothing may fail but the
 * reading itself, and the messages must name the object and the field, and must not be an attack on
 * the reader's terminal.
 *
 * <p>A file in {@code hostile/} begins with lines such as {@code # expect error: FRAGMENT}, {@code
 * # expect warning: FRAGMENT} or {@code # expect nothing}.
 */
class HostileInputTest {
  private static final int LONGEST_MESSAGE = 600;
  private static final int MEGABYTE = 1 << 20;

  /** Input and the messages that are expected for it. */
  private record Case(String name, Supplier<byte[]> content, List<String> expected) {
    @Override
    public String toString() {
      return name;
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource({"files", "generated"})
  void hostile_input_is_refused_or_survived(Case input) {
    List<String> found = new ArrayList<>();
    try {
      Manifests manifests =
          Manifests.parse(input.name, FileText.decode(input.name, input.content.get()));
      manifests.warnings().forEach(warning -> found.add("warning: " + warning));
      decide(manifests, found);
    } catch (TextException e) {
      found.add("error: " + e.getMessage());
      assertThat(e).hasMessageStartingWith(input.name + ":");
    }
    for (String message : found) {
      assertThat(message.length()).as(message).isLessThanOrEqualTo(LONGEST_MESSAGE);
      assertThat(message.chars()).as(message).noneMatch(HostileInputTest::isUnprintable);
    }
    if (input.expected.equals(List.of("nothing"))) {
      assertThat(found).isEmpty();
      return;
    }
    for (String expected : input.expected) {
      assertThat(found)
          .filteredOn(message -> isExpected(expected, message))
          .as("messages with '%s', of %s", expected, found.stream().limit(10).toList())
          .isNotEmpty();
    }
  }

  private static boolean isExpected(String expected, String message) {
    int colon = expected.indexOf(": ") + 2;
    return message.startsWith(expected.substring(0, colon))
        && message.contains(expected.substring(colon));
  }

  /** Applies the manifests to a brain with a view, and removes them again. */
  private static void decide(Manifests manifests, List<String> found) {
    Brain brain = new Brain(warning -> found.add("warning: " + warning));
    try (NodeView view = brain.open("n1", NodeSettings.DEFAULT)) {
      brain.apply(manifests.image());
      assertThat(view.image().revision()).isEqualTo(1);
      brain.apply(ClusterImage.EMPTY);
    }
  }

  static Stream<Case> files() throws IOException, URISyntaxException {
    Path folder = Path.of(HostileInputTest.class.getResource("/hostile").toURI());
    List<Case> cases = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        byte[] content = Files.readAllBytes(file);
        List<String> expected =
            new String(content, UTF_8)
                .lines()
                .takeWhile(line -> line.startsWith("# expect "))
                .map(line -> line.substring("# expect ".length()))
                .toList();
        assertThat(expected).as(file.toString()).isNotEmpty();
        cases.add(new Case(file.getFileName().toString(), () -> content, expected));
      }
    }
    return cases.stream();
  }

  static Stream<Case> generated() {
    String service = "apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop}\n";
    String node = "apiVersion: v1\nkind: Node\nmetadata: {name: web}\n";
    String huge = "x".repeat(3 * MEGABYTE);
    String tooLong = "x".repeat(5 * MEGABYTE);
    byte[] noise = new byte[4096];
    new Random(42).nextBytes(noise);
    return Stream.of(
        text("empty.yaml", "", "nothing"),
        text("spaces.yaml", " \n\n  \n", "nothing"),
        text("byte-order-mark.yaml", "\ufeff" + node, "nothing"),
        text("carriage-returns.yaml", node.replace("\n", "\r\n"), "nothing"),
        new Case(
            "noise.yaml", () -> noise, List.of("error: is not UTF-8 text; save the file as UTF-8")),
        new Case(
            "latin-1.yaml",
            () -> "apiVersion: v1\nkind: Node\nmetadata: {name: n\u00e4}\n".getBytes(ISO_8859_1),
            List.of("error: 3:19: the byte 0xE4 is not UTF-8 text")),
        new Case(
            "half-a-utf-16-character.yaml",
            () -> new byte[] {(byte) 0xff, (byte) 0xfe, 'a', 0, 'b'},
            List.of("error: is not UTF-16LE text")),
        text(
            "zip.yaml",
            "PK\3\4\0\0\0\0\b\0",
            "error: the character U+0003 is not allowed in a manifest"),
        text(
            "nul.yaml",
            service + "spec:\n  clusterIP: 10.0.0.1\0\n",
            "error: 5:22: Service shop/web: spec.clusterIP: the character U+0000 is not allowed"),
        text(
            "terminal-escape.yaml",
            service + "spec:\n  type: \u001b[31mNodePort\n",
            "error: Service shop/web: spec.type: the character U+001B is not allowed"),
        text(
            "lone-surrogate.json",
            "{\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {\"name\": \"\\ud800\"}}",
            "nothing"),
        text(
            "nul-in-name.json",
            "{\"apiVersion\": \"v1\", \"kind\": \"Service\", \"metadata\": {\"name\":"
                + " \"\\u0000\\u001b\"}}",
            "warning: Service default/\ufffd\ufffd: metadata.name: '\ufffd\ufffd' is not a valid"
                + " name"),
        text(
            "key-twice.json",
            "{\"apiVersion\": \"v1\", \"kind\": \"Node\", \"kind\": \"Service\"}",
            "error: 1:38: Node: the key 'kind' is a duplicate"),
        text(
            "not-a-number.json",
            "{\"apiVersion\": \"v1\", \"kind\": \"Service\", \"metadata\": {\"name\": \"a\"},"
                + " \"spec\": {\"ports\": [{\"port\": NaN}]}}",
            "error: Service default/a: spec.ports[0].port: expected an integer, found 'NaN'"),
        text(
            "exponent.json",
            "{\"apiVersion\": \"v1\", \"kind\": \"Service\", \"metadata\": {\"name\": \"a\"},"
                + " \"spec\": {\"ports\": [{\"port\": 8e1}]}}",
            "error: Service default/a: spec.ports[0].port: expected an integer, found the"
                + " number 8e1"),
        text(
            "cut-off.json",
            "{\"apiVersion\": \"v1\", \"kind\": \"Node\", \"meta",
            "error: Node: not valid JSON: expected the '\"' that ends the string, the file ends"),
        text("deep.json", "[".repeat(1_000_000), "error: nested more than 500 levels deep"),
        text(
            "deep-objects.json",
            "{\"a\":".repeat(1_000_000),
            "error: nested more than 500 levels deep"),
        text(
            "deep-flow.yaml",
            service + "spec: " + "[".repeat(1_000_000),
            "error: Service shop/web: ",
            "error: nested more than 500 levels deep"),
        text("deep-block.yaml", "- ".repeat(100_000), "error: nested more than 500 levels deep"),
        text("deep-questions.yaml", "? ".repeat(100_000), "error: a key must be a string"),
        text(
            "huge-name.yaml",
            service.replace("web", huge),
            "warning: xxx… (3145728 characters)' is not a valid name"),
        text(
            "huge-address.yaml",
            service + "spec: {ports: [{port: 80}], clusterIP: " + huge + "}",
            "warning: Service shop/web: spec.clusterIPs[0]: 'xxx"),
        text(
            "huge-quoted-type.yaml",
            service + "spec: {type: \"" + huge + "\"}",
            "error: Service shop/web: spec.type: 'xxx"),
        text(
            "huge-number.yaml",
            service + "spec: {ports: [{port: " + "9".repeat(3 * MEGABYTE) + "}]}",
            "error: Service shop/web: spec.ports[0].port: '999"),
        text(
            "huge-block-text.yaml",
            service + "spec:\n  type: |\n" + ("    " + "x".repeat(99) + "\n").repeat(30_000),
            "error: Service shop/web: spec.type: 'xxx"),
        text(
            "huge-key.yaml",
            service + "spec: {? " + huge + " : 1, ? " + huge + " : 2}",
            "error: Service shop/web: spec: the key 'xxx"),
        text(
            "huge-key.json",
            "{\"" + huge + "\": {\"a\": 1, \"a\": 2}}",
            "error: the key 'a' is a duplicate"),
        text(
            "huge-kind.yaml",
            "apiVersion: v1\nkind: " + huge + "\nmetadata: {name: [}\n",
            "error: xxx… (3145728 characters): metadata.name[0]: not valid YAML"),
        tooLong("plain.yaml", service + "spec: {type: " + tooLong + "}"),
        tooLong("quoted.yaml", service + "spec:\n  type: \"" + tooLong + "\""),
        tooLong("escaped.yaml", service + "spec:\n  type: \"\\n" + tooLong + "\""),
        tooLong("single.yaml", service + "spec:\n  type: '" + tooLong + "'"),
        tooLong(
            "block.yaml",
            service + "spec:\n  type: |\n" + ("    " + "x".repeat(99) + "\n").repeat(50_000)),
        tooLong("text.json", "{\"spec\": {\"type\": \"" + tooLong + "\"}}"),
        tooLong("escaped.json", "{\"spec\": {\"type\": \"\\n" + tooLong + "\"}}"),
        tooLong("number.json", "{\"spec\": {\"type\": " + "9".repeat(5 * MEGABYTE)),
        text(
            "huge-tag.yaml",
            service + "spec: {type: !" + "t".repeat(MEGABYTE) + " x}",
            "error: Service shop/web: spec.type: the tag '!ttt"),
        text(
            "huge-anchor.yaml",
            service + "spec: {type: *" + "t".repeat(MEGABYTE) + " }",
            "error: Service shop/web: spec.type: the alias '*ttt"),
        text(
            "many-ports.yaml",
            service + "spec:\n  clusterIP: 10.0.0.1\n  ports:\n" + ports(100_000, 1),
            "warning: Service shop/web: spec.ports[65535].port: 65536 is not between"),
        text(
            "many-endpoints.yaml",
            service
                + "spec: {clusterIP: 10.0.0.1, ports: [{port: 80}]}\n---\n"
                + endpoints(100_000),
            "nothing"),
        text(
            "many-documents.yaml", "--- {}\n".repeat(200_000), "warning: and 199900 more warnings"),
        text(
            "many-keys.yaml",
            "apiVersion: v1\nkind: Node\nmetadata:\n  name: n1\n  labels:\n" + keys(200_000),
            "nothing"),
        text("many-anchors.yaml", anchors(100_000), "warning: Node n1: x: unknown field"));
  }

  private static Case text(String name, String text, String... expected) {
    return new Case(name, () -> text.getBytes(UTF_8), List.of(expected));
  }

  private static Case tooLong(String name, String text) {
    return text("too-long-" + name, text, "error: spec.type: longer than 4 MiB");
  }

  private static String ports(int count, int first) {
    StringBuilder ports = new StringBuilder();
    for (int i = 0; i < count; i++) {
      ports.append("  - {name: p").append(i).append(", port: ").append(first + i).append("}\n");
    }
    return ports.toString();
  }

  private static String endpoints(int count) {
    StringBuilder slice =
        new StringBuilder(
            """
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {name: web-1, namespace: shop, labels: {kubernetes.io/service-name: web}}
            addressType: IPv4
            ports: [{port: 8080}]
            endpoints:
            """);
    for (int i = 0; i < count; i++) {
      slice
          .append("- addresses: [10.")
          .append(1 + i / 65_536)
          .append('.')
          .append(i / 256 % 256)
          .append('.')
          .append(i % 256)
          .append("]\n");
    }
    return slice.toString();
  }

  private static String keys(int count) {
    StringBuilder keys = new StringBuilder();
    for (int i = 0; i < count; i++) {
      keys.append("    k").append(i).append(": v\n");
    }
    return keys.toString();
  }

  private static String anchors(int count) {
    StringBuilder text =
        new StringBuilder("apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nx:\n");
    for (int i = 0; i < count; i++) {
      text.append("- &a").append(i).append(" [1]\n- *a").append(i).append('\n');
    }
    return text.toString();
  }

  private static boolean isUnprintable(int c) {
    return Character.isISOControl(c) || Character.getType(c) == Character.FORMAT;
  }
}

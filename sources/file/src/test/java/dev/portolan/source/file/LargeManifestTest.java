package dev.portolan.source.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.testbase.AtNight;
import dev.portolan.testbase.OwnJvm;
import dev.portolan.text.TextException;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A heap of a few times the size of a file is enough to read it; its tree takes tens of times. */
class LargeManifestTest {
  private static final int SLICES = 80;
  private static final int ENDPOINTS = 500;
  private static final String HEAP = "-Xmx80m";

  /** With what else a JVM takes, less than 300 MB. */
  private static final String HOSTILE_HEAP = "-Xmx200m";

  private static final int HOSTILE_LINES = 1_000_000;
  private static final int HOSTILE_BYTES = 100_000_000;

  @TempDir private Path folder;

  /** Reads a file, in a JVM of its own. */
  static final class ReadingProgram {
    private ReadingProgram() {}

    public static void main(String[] args) {
      try {
        System.out.println(Manifests.read(Path.of(args[0])).image().slices().size());
      } catch (TextException e) {
        System.out.println(e.getMessage());
      }
    }
  }

  private static String read(Path file) throws Exception {
    return read(file, HEAP);
  }

  private static String read(Path file, String heap) {
    return OwnJvm.run(
            List.of("-XX:+UseSerialGC", "-Xmn8m", heap), ReadingProgram.class, file.toString())
        .orThrow()
        .strip();
  }

  /** Lines of one EndpointSlice. */
  private static String slice(int number) {
    StringBuilder text =
        new StringBuilder("apiVersion: discovery.k8s.io/v1\nkind: EndpointSlice\n")
            .append("metadata: {name: s" + number + "}\naddressType: IPv4\nendpoints:\n");
    for (int i = 0; i < ENDPOINTS; i++) {
      text.append("- addresses:\n  - 10.1.")
          .append(i / 250)
          .append('.')
          .append(i % 250)
          .append("\n  conditions:\n    ready: true\n    serving: true\n    terminating: false\n")
          .append("  nodeName: n1\n  targetRef:\n    kind: Pod\n    name: pod-")
          .append(i)
          .append("\n    namespace: shop\n    uid: 6f0f5a3e-1d2c-4b5a-9e8f-0123456789ab\n");
    }
    return text.toString();
  }

  @Test
  void documentsAreDecodedOneByOne() throws Exception {
    Path file = folder.resolve("a.yaml");
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      for (int i = 0; i < SLICES; i++) {
        out.write("---\n" + slice(i));
      }
    }
    assertThat(read(file)).isEqualTo(Integer.toString(SLICES));
  }

  /** As kubectl prints it: what it is comes last. */
  @Test
  void itemsOfAListAreDecodedOneByOne() throws Exception {
    Path file = folder.resolve("a.yaml");
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      out.write("apiVersion: v1\nitems:\n");
      for (int i = 0; i < SLICES; i++) {
        writeItem(out, slice(i));
      }
      out.write("kind: List\n");
    }
    assertThat(read(file)).isEqualTo(Integer.toString(SLICES));
  }

  /** The parser would take many times as much. */
  @ParameterizedTest
  @ValueSource(strings = {"spec: \"\\n", "spec: |", "spec: {a: x", "{\"spec\": \"\\n"})
  void aHundredMegabytesOfOneValueAreRefusedInLittleMemory(String begin) throws Exception {
    boolean json = begin.startsWith("{");
    Path file = folder.resolve(json ? "a.json" : "a.yaml");
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      out.write(begin + (json ? "" : "\n"));
      for (int i = 0; i < HOSTILE_LINES; i++) {
        out.write("  " + "x".repeat(97) + (json ? " " : "\n"));
      }
    }
    assertThat(read(file, HOSTILE_HEAP))
        .matches(".*:\\d:\\d+: .*longer than 4 MiB, which no field is");
    Files.delete(file);
  }

  /** Their tree would take tens of times as much as the text. */
  @AtNight
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"x\":[|1,",
        "{\"items\":[|1,",
        "{\"x\":[|[],",
        "{\"x\":[|{\"k#\":[\"v#\"]},",
        "{\"x\":{|\"k#\":{},",
        "{\"kind\":\"NodeList\",\"apiVersion\":\"v1\",\"metadata\":{|\"k#\":{},",
        "x:\n|- 1\n",
        "x:\n|- &a# !t# {}\n",
        "x: [|[[[[[[[[[[1]]]]]]]]]],",
        "items:\n|- kind: A\n  apiVersion: b\n  x: &a# []\n",
      })
  void aHundredMegabytesOfSmallValuesAreRefusedInLittleMemory(String pattern) throws Exception {
    assertThat(read(hostile(pattern, HOSTILE_BYTES), HOSTILE_HEAP))
        .matches(
            ".*:\\d+:\\d+: .*more than 600000 values, or 9600000 characters, in one object, which"
                + " no Kubernetes object has; write each object as a document of its own, after a"
                + " line '---'");
  }

  /** They are read one after the other, and nothing is kept of them. */
  @AtNight
  @ParameterizedTest
  @ValueSource(
      strings = {
        "|---\nk#: v#\n",
        "|---\n- &a# x\n",
        "|{\"k#\":[1]}\n",
        "{\"kind\":\"NodeList\",\"apiVersion\":\"v1\",\"items\":[|{\"k#\":{}},",
      })
  void manySmallDocumentsAreReadInLittleMemory(String pattern) throws Exception {
    assertThat(read(hostile(pattern, HOSTILE_BYTES / 5), HEAP)).matches("0|.*the file ends");
  }

  /** What is before the bar, then as often as fits what is after it, with a number for each #. */
  private Path hostile(String pattern, long bytes) throws IOException {
    int bar = pattern.indexOf('|');
    Path file = folder.resolve(pattern.startsWith("{") ? "a.json" : "a.yaml");
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      out.write(pattern.substring(0, bar));
      String rest = pattern.substring(bar + 1);
      long left = bytes;
      for (int i = 0; left > 0; i++) {
        String next = rest.replace("#", Integer.toString(i));
        out.write(next);
        left -= next.length();
      }
    }
    return file;
  }

  private static void writeItem(BufferedWriter out, String text) throws IOException {
    String start = "- ";
    for (String line : text.lines().toList()) {
      out.write(start + line + "\n");
      start = "  ";
    }
  }
}

package dev.portolan.backend.iptables;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes what iptables-restore reads, line by line, and counts. It can look out for a line with a
 * certain number: so a line that was rejected is found by writing everything once more.
 */
final class RestoreWriter {
  private static final int BUFFER = 1 << 16;

  /** About how many lines one part of a table has. */
  private static final int PART = 6_000;

  private static final String COMMIT = "COMMIT";

  private final OutputStream out;
  private final Consumer<String> each;
  private final int wantedLine;
  private final Map<String, Integer> rules = new HashMap<>();
  private boolean inParts;
  private int lines;
  private int begun;
  private int parts;
  private String table = "";
  private String service = "";
  private @Nullable Line found;

  /**
   * A line, and what it is for.
   *
   * @param service the service port, or empty
   * @param part how many parts of the table were committed before it
   */
  record Line(String text, String table, String service, int part) {
    /** Whether it only ends a table. */
    boolean isCommit() {
      return text.equals(COMMIT);
    }
  }

  private RestoreWriter(OutputStream out, Consumer<String> each, int wantedLine) {
    this.out = out;
    this.each = each;
    this.wantedLine = wantedLine;
  }

  /** Writes to {@code out}, which is not closed. */
  static RestoreWriter to(OutputStream out) {
    OutputStream buffered = new BufferedOutputStream(out, BUFFER);
    return new RestoreWriter(buffered, line -> write(buffered, line), 0);
  }

  private static void write(OutputStream out, String line) {
    try {
      out.write((line + "\n").getBytes(StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes nowhere. */
  static RestoreWriter counting() {
    return handing(line -> {});
  }

  /** Hands over each line. */
  static RestoreWriter handing(Consumer<String> each) {
    return new RestoreWriter(OutputStream.nullOutputStream(), each, 0);
  }

  /** Writes nowhere, and keeps one line. */
  static RestoreWriter lookingFor(int line) {
    return new RestoreWriter(OutputStream.nullOutputStream(), text -> {}, line);
  }

  /**
   * Commits a large table part by part. iptables-nft compares each chain with all others of the
   * same commit: ten thousand services in one commit take more than 10 minutes, in parts a few
   * seconds. iptables-legacy reads and writes the whole table for each commit.
   */
  RestoreWriter inParts(boolean wanted) {
    inParts = wanted;
    return this;
  }

  /** What was written up to here can stand by itself, and may be committed. */
  void endPart() {
    if (inParts && lines - begun >= PART) {
      int committed = parts + 1;
      commit();
      begin(table);
      parts = committed;
    }
  }

  /** Says for which service port the next lines are; empty for none. */
  void about(String servicePort) {
    service = servicePort;
  }

  void begin(String name) {
    table = name;
    service = "";
    parts = 0;
    begun = lines;
    line("*" + name);
  }

  void commit() {
    service = "";
    line(COMMIT);
  }

  /** Makes a chain, or empties the one that is there. */
  void chain(String name) {
    line(RuleText.chainLine(name));
  }

  /** Empties chains, and removes some of them; they may lead to each other. */
  void remove(Collection<String> emptied, Collection<String> gone) {
    for (String chain : emptied) {
      endPart();
      chain(chain);
    }
    for (String chain : gone) {
      endPart();
      line("-X " + chain);
    }
  }

  /** Appends a rule to a chain. */
  void rule(String chain, String rule) {
    rules.merge(table, 1, Integer::sum);
    line("-A " + chain + " " + rule);
  }

  /** Puts a rule in front of a chain. */
  void insert(String chain, String rule) {
    rules.merge(table, 1, Integer::sum);
    line("-I " + chain + " " + rule);
  }

  void line(String text) {
    lines++;
    if (lines == wantedLine) {
      found = new Line(text, table, service, parts);
    }
    each.accept(text);
  }

  void flush() {
    try {
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** How many rules were written to a table. */
  int rules(String name) {
    return rules.getOrDefault(name, 0);
  }

  /** The line that was looked for, or null. */
  @Nullable Line found() {
    return found;
  }
}

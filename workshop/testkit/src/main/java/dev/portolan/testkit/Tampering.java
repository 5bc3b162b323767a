package dev.portolan.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One way to change rules behind a proxy's back, from a file of them: a line with its name, then
 * indented lines. {@code finds WORDS} says what an audit must say of it. {@code unseen by packets}
 * and {@code unseen by rules} say that it changes nothing that packets meet, or nothing that the
 * proxy wrote. {@code ip4} and {@code ip6} are followed by a command of sed, to which the output of
 * iptables-save of a family is given; {@code table4} and {@code table6} likewise, for the proxy's
 * table of nftables; {@code nft} by a command of nft, and {@code sh} by one of a shell, which finds
 * the names of programs and table in {@code $IPTABLES} and {@code $TABLE}. Other words are known to
 * the test that the file is for. Lines that start with {@code #} are comments.
 *
 * @param finds what an audit must say, wherever; empty where anything will do
 * @param byPackets whether packets meet something else afterwards
 * @param byRules whether rules that the proxy wrote are different afterwards
 * @param steps what is done, each as the word and what follows it
 */
public record Tampering(
    String name, String finds, boolean byPackets, boolean byRules, List<Step> steps) {
  private static final String FINDS = "finds ";

  /** One command. */
  public record Step(String tool, String command) {}

  public Tampering {
    steps = List.copyOf(steps);
  }

  /** All of a file that comes with the kit: {@code nftables}, {@code iptables}. */
  public static List<Tampering> all(String file) {
    String path = "/tamperings/" + file + ".txt";
    try (InputStream stream = Tampering.class.getResourceAsStream(path)) {
      if (stream == null) {
        throw new IllegalArgumentException("the kit has no file " + path);
      }
      return parse(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<Tampering> parse(String text) {
    List<List<String>> blocks = new ArrayList<>();
    for (String line : text.lines().toList()) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      if (!line.startsWith(" ")) {
        blocks.add(new ArrayList<>());
      }
      blocks.getLast().add(line.strip());
    }
    return blocks.stream().map(Tampering::of).collect(Collectors.toList());
  }

  private static Tampering of(List<String> lines) {
    String finds = "";
    boolean byPackets = true;
    boolean byRules = true;
    List<Step> steps = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      if (line.startsWith(FINDS)) {
        finds = line.substring(FINDS.length());
      } else if (line.equals("unseen by packets")) {
        byPackets = false;
      } else if (line.equals("unseen by rules")) {
        byRules = false;
      } else {
        String[] words = line.split(" ", 2);
        steps.add(new Step(words[0], words[1]));
      }
    }
    return new Tampering(lines.getFirst(), finds, byPackets, byRules, steps);
  }

  /** The same with one step alone. */
  public Tampering only(Step step) {
    return new Tampering(name, finds, byPackets, byRules, List.of(step));
  }

  /**
   * A script for a shell that does it.
   *
   * @param iptables the kind of iptables that has the rules: {@code iptables-nft}
   * @param table the name of the proxy's tables of nftables; may be empty
   */
  public String script(String iptables, String table) {
    return "IPTABLES="
        + iptables
        + "\nTABLE="
        + table
        + "\n"
        + steps.stream().map(step -> script(step, iptables)).collect(Collectors.joining("\n"));
  }

  private static String script(Step step, String iptables) {
    String ip6 = iptables.replace("iptables", "ip6tables");
    return switch (step.tool) {
      case "ip4" -> edit(iptables + "-save | grep -v '^#'", step.command, iptables + "-restore");
      case "ip6" -> edit(ip6 + "-save | grep -v '^#'", step.command, ip6 + "-restore");
      case "table4" -> editTable("ip", step.command);
      case "table6" -> editTable("ip6", step.command);
      case "nft" -> "nft " + quoted(step.command).replace("$TABLE", "'$TABLE'");
      case "sh" -> step.command;
      default -> throw new IllegalArgumentException("no such tool: " + step.tool);
    };
  }

  private static String editTable(String family, String command) {
    String table = family + " $TABLE";
    return edit(
        "nft -s list table " + table,
        command,
        "{ echo delete table " + table + "; cat; } | nft -f -");
  }

  /** Edits what {@code list} prints; a command that changes nothing is a mistake. */
  private static String edit(String list, String command, String load) {
    return "before=$("
        + list
        + ")\nafter=$(echo \"$before\" | sed -E "
        + quoted(command)
        + ")\n[ \"$before\" != \"$after\" ] || { echo nothing changes >&2; exit 1; }\n"
        + "echo \"$after\" | "
        + load;
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }

  /** Its name. */
  @Override
  public String toString() {
    return name;
  }
}

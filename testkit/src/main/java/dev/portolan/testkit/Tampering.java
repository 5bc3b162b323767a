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
 * iptables-save of a family is given, {@code nft} by a command of nft, and {@code sh} by one of a
 * shell. Lines that start with {@code #} are comments.
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

  /** A script for a shell that does it; {@code iptables} is the kind of iptables to use. */
  public String script(String iptables) {
    return steps.stream().map(step -> script(step, iptables)).collect(Collectors.joining("\n"));
  }

  private static String script(Step step, String iptables) {
    String ip6 = iptables.replace("iptables", "ip6tables");
    return switch (step.tool) {
      case "ip4" -> edit(iptables, step.command);
      case "ip6" -> edit(ip6, step.command);
      case "nft" -> "nft " + quoted(step.command);
      case "sh" -> "IPTABLES=" + iptables + "; " + step.command;
      default -> throw new IllegalArgumentException("no such tool: " + step.tool);
    };
  }

  /** Edits what is there; a command that changes nothing is a mistake. */
  private static String edit(String program, String command) {
    return "before=$("
        + program
        + "-save | grep -v '^#')\nafter=$(echo \"$before\" | sed -E "
        + quoted(command)
        + ")\n[ \"$before\" != \"$after\" ] || { echo nothing changes >&2; exit 1; }\necho"
        + " \"$after\" | "
        + program
        + "-restore";
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

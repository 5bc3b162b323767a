package dev.portolan.packets;

import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Verdict;
import dev.portolan.explain.Target;
import dev.portolan.lab.Actor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the text of a packet table. Strict: what it does not know is a mistake with a line. */
final class PacketTableParser {
  private static final String OPTIONS = "-- options --";
  private static final String PACKETS = "-- packets --";
  private static final String ROW_FORM =
      "a row is 'from ACTOR to ADDRESS:PORT/PROTOCOL -> OUTCOME'";
  private static final String OUTCOME_FORM =
      "an outcome is 'reject', 'drop', 'none', or 'PODS masqueraded', 'PODS not-masqueraded' or"
          + " 'PODS masqueraded-to PODS', each with 'sticky' after it where there is affinity";
  private static final Pattern ROW = Pattern.compile("from (\\S+) to (\\S+) -> (\\S.*)");
  private static final Pattern TARGET = Pattern.compile("\\S+:[0-9]+/(tcp|udp|sctp)");
  private static final Pattern FORWARD =
      Pattern.compile("(\\S+) (masqueraded|not-masqueraded|masqueraded-to (\\S+))( sticky)?");

  private final String file;
  private final List<String> lines;
  private final ScenarioOptions options = new ScenarioOptions();
  private final List<Packet> packets = new ArrayList<>();
  private final Map<String, String> places = new HashMap<>();
  private final StringBuilder description = new StringBuilder();

  PacketTableParser(String file, String text) {
    this.file = file;
    this.lines = text.lines().toList();
  }

  PacketTable parse() {
    String section = "";
    for (int i = 0; i < lines.size(); i++) {
      String raw = lines.get(i);
      if (raw.startsWith("-- ")) {
        boolean first = section.isEmpty() && raw.equals(OPTIONS);
        boolean last = !section.equals(PACKETS) && raw.equals(PACKETS);
        if (!first && !last) {
          throw mistake(i, "after the description come '" + OPTIONS + "' and '" + PACKETS + "'");
        }
        section = raw;
        continue;
      }
      String line = withoutComment(raw);
      if (section.isEmpty()) {
        description.append(raw).append('\n');
      } else if (!line.isEmpty()) {
        read(section, i, line);
      }
    }
    if (description.toString().isBlank()) {
      throw mistake(0, "start with a sentence that says what the packets show");
    }
    if (packets.isEmpty()) {
      throw mistake(lines.size() - 1, "there is no row below '" + PACKETS + "'");
    }
    int ending = file.lastIndexOf('.');
    return new PacketTable(
        ending < 0 ? file : file.substring(0, ending),
        description.toString().strip(),
        options.settings(),
        packets);
  }

  private void read(String section, int index, String line) {
    if (section.equals(OPTIONS)) {
      option(index, line);
    } else {
      packet(index, line);
    }
  }

  private static String withoutComment(String raw) {
    String text = " " + raw;
    int comment = text.indexOf(" #");
    return (comment < 0 ? text : text.substring(0, comment)).strip().replaceAll("\\s+", " ");
  }

  private void option(int index, String line) {
    int colon = line.indexOf(':');
    if (colon < 0) {
      throw mistake(index, "an option is written 'name: value', not '" + line + "'");
    }
    String name = line.substring(0, colon).strip();
    if (name.equals("node")) {
      throw mistake(index, "the node of a packet table is always " + Actor.NODE_NAME);
    }
    try {
      options.set(name, line.substring(colon + 1).strip());
    } catch (IllegalArgumentException e) {
      throw mistake(index, String.valueOf(e.getMessage()));
    }
  }

  private void packet(int index, String line) {
    Matcher row = ROW.matcher(line);
    if (!row.matches()) {
      throw mistake(index, ROW_FORM + ", not '" + line + "'");
    }
    Actor from =
        Actor.labelled(row.group(1))
            .filter(actor -> actor != Actor.ROUTER)
            .orElseThrow(() ->
                mistake(
                    index,
                    "'"
                        + row.group(1)
                        + "' is not a valid client; write one of "
                        + Arrays.toString(Actor.values())));
    Target.OfAddress target = target(index, row.group(2));
    Packet packet =
        new Packet(
            file + ":" + (index + 1),
            from,
            target.address(),
            target.port(),
            target.protocol().orElse(Protocol.TCP),
            outcome(index, row.group(3)));
    String before = places.putIfAbsent(packet.route(), packet.place());
    if (before != null) {
      throw mistake(index, "'" + packet.route() + "' is a duplicate of " + before);
    }
    packets.add(packet);
  }

  private Target.OfAddress target(int index, String text) {
    try {
      if (TARGET.matcher(text).matches() && Target.parse(text) instanceof Target.OfAddress found) {
        return found;
      }
    } catch (IllegalArgumentException e) {
      throw mistake(index, String.valueOf(e.getMessage()));
    }
    throw mistake(
        index,
        "'" + text + "' is not a valid target; write 10.96.0.20:80/tcp or [fd10:96::20]:80/udp");
  }

  private Outcome outcome(int index, String text) {
    for (Verdict verdict : Verdict.values()) {
      if (verdict != Verdict.FORWARD && verdict.toString().equals(text)) {
        return Outcome.ended(verdict);
      }
    }
    Matcher forward = FORWARD.matcher(text);
    if (!forward.matches()) {
      throw mistake(index, OUTCOME_FORM + "; this one is '" + text + "'");
    }
    List<String> pods = pods(index, forward.group(1));
    List<String> masqueraded =
        switch (forward.group(2)) {
          case "masqueraded" -> pods;
          case "not-masqueraded" -> List.of();
          default -> pods(index, forward.group(3));
        };
    if (!pods.containsAll(masqueraded)) {
      throw mistake(index, "'masqueraded-to' names pods that the packet does not go to");
    }
    Map<String, Boolean> endpoints = new TreeMap<>();
    pods.forEach(pod -> endpoints.put(pod, masqueraded.contains(pod)));
    return Outcome.forwarded(endpoints, forward.group(4) != null);
  }

  private List<String> pods(int index, String text) {
    List<String> names = List.of(text.split(",", -1));
    for (String name : names) {
      if (!Endpoints.isName(name)) {
        throw mistake(
            index, "'" + name + "' is not a valid pod; write pod-a1 for port 8080, or pod-a1:9090");
      }
    }
    if (names.stream().distinct().count() < names.size()) {
      throw mistake(index, "'" + text + "' names a pod twice");
    }
    return names;
  }

  private PacketTableException mistake(int index, String message) {
    return new PacketTableException(file, index + 1, message);
  }
}

package dev.portolan.walk.iptables;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads what follows {@code -j}. */
final class TargetReader {
  private static final int MOST_ADDRESSES = 256;

  private TargetReader() {}

  /**
   * The target {@code name}.
   *
   * @param words the name, and its options
   */
  static RuleTarget read(boolean forGood, String name, List<String> words) {
    return switch (name) {
      case "ACCEPT" -> RuleTarget.End.ACCEPT;
      case "DROP" -> RuleTarget.End.DROP;
      case "REJECT" -> RuleTarget.End.REJECT;
      case "RETURN" -> RuleTarget.End.RETURN;
      case "MARK" -> mark(words);
      case "CONNMARK" -> connectionMark(words);
      case "DNAT" -> translate(words);
      case "SNAT" -> new RuleTarget.ChangeSource(addresses(option(words, "--to-source")));
      case "REDIRECT" ->
          new RuleTarget.Redirect(find(words, "--to-ports").map(TargetReader::onePort).orElse(0));
      case "MASQUERADE" -> new RuleTarget.Masquerade();
      case "NOTRACK" -> new RuleTarget.Untrack();
      case "CT" -> words.contains("--notrack") ? new RuleTarget.Untrack() : new RuleTarget.Pass();
      case "LOG",
          "NFLOG",
          "ULOG",
          "TRACE",
          "AUDIT",
          "CHECKSUM",
          "CLASSIFY",
          "DSCP",
          "TOS",
          "ECN",
          "TCPMSS",
          "TCPOPTSTRIP",
          "TTL",
          "HL",
          "SET",
          "LED",
          "IDLETIMER",
          "RATEEST",
          "SECMARK",
          "CONNSECMARK",
          "ACCOUNT" ->
          new RuleTarget.Pass();
      case "QUEUE", "NFQUEUE", "TPROXY", "NETMAP", "SYNPROXY", "TEE", "CLUSTERIP", "SAME" ->
          new RuleTarget.Unknown();
      default ->
          words.size() > 1 ? new RuleTarget.Unknown() : new RuleTarget.ToChain(name, forGood);
    };
  }

  private static RuleTarget mark(List<String> words) {
    String option = words.size() > 2 ? words.get(1) : "";
    String value = words.size() > 2 ? words.get(2) : "";
    return switch (option) {
      case "--set-xmark", "--set-mark", "--xor-mark", "--or-mark", "--and-mark" -> {
        MarkChange change = MarkChange.of(option, value);
        yield new RuleTarget.Mark(change.keep, change.flip);
      }
      default -> new RuleTarget.Unknown();
    };
  }

  private static RuleTarget connectionMark(List<String> words) {
    String option = words.size() > 1 ? words.get(1) : "";
    return switch (option) {
      case "--set-xmark", "--set-mark", "--xor-mark", "--or-mark", "--and-mark" -> {
        MarkChange change = MarkChange.of(option, words.size() > 2 ? words.get(2) : "");
        yield new RuleTarget.ConnectionMark(change.keep, change.flip);
      }
      case "--save-mark" -> new RuleTarget.SaveMark(mask(words, true), mask(words, false));
      case "--restore-mark" -> new RuleTarget.RestoreMark(mask(words, true), mask(words, false));
      default -> new RuleTarget.Unknown();
    };
  }

  private static int mask(List<String> words, boolean ofPacket) {
    return find(words, ofPacket ? "--nfmask" : "--ctmask")
        .or(() -> find(words, "--mask"))
        .map(PacketMark::number)
        .orElse(-1);
  }

  /** How a mark is changed: {@code (mark & keep) ^ flip}. */
  private record MarkChange(int keep, int flip) {
    static MarkChange of(String option, String text) {
      PacketMark value = PacketMark.of(text);
      return switch (option) {
        case "--set-xmark" -> new MarkChange(~value.mask(), value.value());
        case "--set-mark" -> new MarkChange(~(value.mask() | value.value()), value.value());
        case "--or-mark" -> new MarkChange(~value.value(), value.value());
        case "--and-mark" -> new MarkChange(value.value(), 0);
        default -> new MarkChange(-1, value.value());
      };
    }
  }

  /** {@code ADDRESS}, {@code ADDRESS:PORT}, {@code :PORT}, {@code FIRST-LAST:PORT}. */
  private static RuleTarget translate(List<String> words) {
    String to = option(words, "--to-destination");
    if (words.lastIndexOf("--to-destination") != words.indexOf("--to-destination")) {
      return new RuleTarget.Unknown();
    }
    boolean v6 = to.startsWith("[") || to.indexOf(':') != to.lastIndexOf(':');
    int end = v6 ? to.lastIndexOf("]:") + 1 : to.indexOf(':');
    boolean hasPort = v6 ? end > 0 : end >= 0;
    String address = (hasPort ? to.substring(0, end) : to).replace("[", "").replace("]", "");
    int port = hasPort ? onePort(to.substring(end + 1)) : 0;
    return new RuleTarget.Translate(address.isEmpty() ? List.of() : addresses(address), port);
  }

  private static List<Ip> addresses(String text) {
    String[] ends = text.split("-", -1);
    Ip first = Ip.of(ends[0].replaceFirst("^(\\d+\\.\\d+\\.\\d+\\.\\d+):.*", "$1"));
    if (ends.length == 1 || (ends[0].contains(":") && first.family() == IpFamily.IPV4)) {
      return List.of(first);
    }
    Ip last = Ip.of(ends[1].replaceFirst("^(\\d+\\.\\d+\\.\\d+\\.\\d+):.*", "$1"));
    long count = last.low() - first.low() + 1;
    if (first.high() != last.high() || count < 1 || count > MOST_ADDRESSES) {
      throw new IllegalArgumentException("too many addresses: " + text);
    }
    List<Ip> all = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      all.add(new Ip(first.high(), first.low() + i));
    }
    return all;
  }

  private static int onePort(String text) {
    return Integer.parseInt(text);
  }

  private static String option(List<String> words, String name) {
    return find(words, name).orElseThrow(() -> new IllegalArgumentException("no " + name));
  }

  private static Optional<String> find(List<String> words, String name) {
    int at = words.indexOf(name);
    return at < 0 || at + 1 >= words.size() ? Optional.empty() : Optional.of(words.get(at + 1));
  }
}

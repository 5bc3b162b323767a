package dev.portolan.config.flags;

import dev.portolan.config.fields.VmoduleItem;
import dev.portolan.config.finding.ConfigException;
import dev.portolan.config.gates.FeatureGates;
import dev.portolan.config.gates.KubeVersion;
import dev.portolan.core.net.Ip;
import dev.portolan.core.node.Balancing;
import dev.portolan.core.text.GoDuration;
import dev.portolan.core.text.KubeQuantity;
import dev.portolan.text.syntax.DoubleQuotes;
import dev.portolan.text.syntax.GoTruth;
import dev.portolan.text.syntax.HostPort;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The types of flags, and how a value on the command line is read. */
public enum FlagType {
  TEXT,
  TRUTH,
  INT32,
  UINT32,
  FLOAT32,
  DURATION,
  QUANTITY,
  TEXTS,
  GATES,
  VMODULE,
  IP,
  IP_PORT,
  SOCKET,
  CLEANING,
  BALANCING,
  RELEASE,
  VERSION;

  private static final String RELEASES =
      "a release from " + KubeVersion.OLDEST + " to " + KubeVersion.NEWEST;

  static FlagType named(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT).replace(':', '_'));
  }

  /** Whether the flag may stand without a value. */
  boolean mayStandAlone() {
    return this == TRUTH || this == VERSION || this == CLEANING;
  }

  /** The value; throws with the reason where {@code text} is none. */
  Object parse(String text) {
    return switch (this) {
      case TEXT -> text;
      case RELEASE -> KubeVersion.emulated(text).orElseThrow(() -> not(RELEASES));
      case VERSION -> version(text);
      case TRUTH -> GoTruth.parse(text).orElseThrow(() -> not("true or false"));
      case INT32 -> (int) whole(text, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case UINT32 -> whole(text, 0, 0xffffffffL);
      case FLOAT32 -> fraction(text);
      case DURATION -> GoDuration.parse(text).orElseThrow(() -> not("a duration such as 1m30s"));
      case QUANTITY -> {
        if (!KubeQuantity.isOne(text)) {
          throw not("a quantity such as 64Ki");
        }
        yield text;
      }
      case TEXTS -> text.isEmpty() ? List.of() : Stream.of(text.split(",", -1)).toList();
      case GATES -> FeatureGates.parse(text);
      case VMODULE -> vmodule(text);
      case IP -> ip(text);
      case IP_PORT -> ipPort(text);
      case SOCKET -> socket(text);
      case CLEANING -> cleaning(text);
      case BALANCING ->
          Balancing.Kind.parse(text)
              .map(Balancing.Kind::toString)
              .orElseThrow(() -> not("random, maglev or maglev-address"));
    };
  }

  private static String version(String text) {
    if (text.equals("raw") || (text.startsWith("v") && KubeVersion.parse(text).isPresent())) {
      return text;
    }
    return GoTruth.parse(text)
        .map(truth -> truth.toString())
        .orElseThrow(() -> not("true, false, raw or a version such as v1.37.0"));
  }

  private static long whole(String text, long least, long most) {
    try {
      long number = Long.parseLong(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    throw not("an integer from " + least + " to " + most);
  }

  private static float fraction(String text) {
    try {
      float number = Float.parseFloat(text);
      if (Float.isFinite(number)) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    throw not("a number");
  }

  private static List<VmoduleItem> vmodule(String text) {
    List<VmoduleItem> items = new ArrayList<>();
    for (String item : text.split(",", -1)) {
      if (item.isEmpty()) {
        continue;
      }
      int equals = item.indexOf('=');
      if (equals < 1) {
        throw not("comma-separated pairs PATTERN=N");
      }
      long verbosity = whole(item.substring(equals + 1), 0, Integer.MAX_VALUE);
      items.add(new VmoduleItem(item.substring(0, equals), verbosity));
    }
    return items;
  }

  private static String ip(String text) {
    if (!text.isEmpty() && Ip.parse(text).isEmpty()) {
      throw ConfigException.of("", DoubleQuotes.quote(text) + " is not a valid IP address");
    }
    return text;
  }

  private static String ipPort(String text) {
    if (text.isEmpty() || Ip.parse(text).isPresent()) {
      return text;
    }
    HostPort parts =
        HostPort.split(text)
            .orElseThrow(() ->
                ConfigException.of(
                    "", DoubleQuotes.quote(text) + " is not in a valid format (ip or ip:port)"));
    ip(parts.host());
    if (!parts.port().matches("[0-9]{1,9}")) {
      throw ConfigException.of("", DoubleQuotes.quote(parts.port()) + " is not a valid number");
    }
    return text;
  }

  private static String socket(String text) {
    if (!text.isEmpty() && (!text.startsWith("unix:///") || text.endsWith("/"))) {
      throw not("a unix socket such as unix:///run/portolan/node.sock");
    }
    return text;
  }

  private static String cleaning(String text) {
    return switch (text) {
      case "never", "unreplied", "all" -> text;
      default ->
          GoTruth.parse(text)
              .map(truth -> truth ? "all" : "never")
              .orElseThrow(() -> not("never, unreplied or all"));
    };
  }

  private static ConfigException not(String expected) {
    return ConfigException.of("", "expected " + expected);
  }
}

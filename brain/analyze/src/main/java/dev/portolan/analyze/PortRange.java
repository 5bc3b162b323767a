package dev.portolan.analyze;

import dev.portolan.core.text.Quotes;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A range of ports, both ends included. */
public record PortRange(int first, int last) {
  /** The nodePorts of an API server without the flag {@code --service-node-port-range}. */
  public static final PortRange NODE_PORTS = new PortRange(30_000, 32_767);

  private static final Pattern FORM = Pattern.compile("([0-9]{1,5})-([0-9]{1,5})");
  private static final int LAST_PORT = 65_535;

  /** Reads {@code FIRST-LAST}. */
  public static PortRange parse(String text) {
    Matcher form = FORM.matcher(text.strip());
    if (form.matches()) {
      int first = Integer.parseInt(form.group(1));
      int last = Integer.parseInt(form.group(2));
      if (first >= 1 && first <= last && last <= LAST_PORT) {
        return new PortRange(first, last);
      }
    }
    throw new IllegalArgumentException(
        Quotes.quote(text) + " is not a range of ports; write one such as " + NODE_PORTS);
  }

  /** Whether a port lies inside. */
  public boolean contains(int port) {
    return port >= first && port <= last;
  }

  @Override
  public String toString() {
    return first + "-" + last;
  }
}

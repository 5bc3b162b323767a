package dev.portolan.core.node;

import dev.portolan.core.net.Cidr;

/** How this node recognizes, in one family, packets from its own pods. */
public sealed interface LocalDetector {
  /** By its source address. */
  record SourceRange(Cidr range) implements LocalDetector {
    @Override
    public String toString() {
      return "source " + range;
    }
  }

  /** By the interface through which it came. */
  record Interface(String name) implements LocalDetector {
    @Override
    public String toString() {
      return "interface " + name;
    }
  }

  /** By the start of the name of the interface through which it came. */
  record InterfacePrefix(String prefix) implements LocalDetector {
    @Override
    public String toString() {
      return "interface " + prefix + "*";
    }
  }

  /** It cannot tell: nothing is masqueraded for coming from elsewhere, no pod takes a short cut. */
  record Undetected() implements LocalDetector {
    @Override
    public String toString() {
      return "none";
    }
  }
}

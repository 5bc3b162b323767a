package dev.portolan.core.fate;

import dev.portolan.core.node.Verdict;

/** What becomes of a connection to a nodePort, at an address of the node that does not serve it. */
public sealed interface Elsewhere {
  /** How it ends. */
  Verdict verdict();

  /** No rule does anything with it. */
  record NotServed() implements Elsewhere {
    @Override
    public Verdict verdict() {
      return Verdict.NONE;
    }
  }

  /** The rules reject on loopback addresses what no process of the node listens for. */
  record NotOnLocalhost() implements Elsewhere {
    @Override
    public Verdict verdict() {
      return Verdict.REJECT;
    }
  }

  /** The nodePort has no endpoint for it, and ends on every address of the node. */
  record Ended(Verdict verdict) implements Elsewhere {}
}

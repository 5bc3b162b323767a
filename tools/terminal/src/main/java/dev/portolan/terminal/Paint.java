package dev.portolan.terminal;

import dev.portolan.core.node.Verdict;

/** Colours and emphasis, on a terminal that supports them. */
public enum Paint {
  NONE(""),
  BOLD("1"),
  FAINT("2"),
  RED("31"),
  GREEN("32"),
  YELLOW("33");

  private final String code;

  Paint(String code) {
    this.code = code;
  }

  /** The colour of a verdict. */
  public static Paint of(Verdict verdict) {
    return switch (verdict) {
      case FORWARD -> GREEN;
      case REJECT, DROP -> RED;
      case NONE -> YELLOW;
    };
  }

  /** The text between the codes that switch this paint on and off. */
  String on(String text) {
    return this == NONE || text.isEmpty() ? text : "\u001b[" + code + "m" + text + "\u001b[0m";
  }
}

package dev.portolan.text;

/** A place in a text; both numbers begin at 1. */
public record FilePosition(int line, int column) {
  @Override
  public String toString() {
    return line + ":" + column;
  }
}

package dev.portolan.config;

/** A place in a text; both numbers begin at 1. */
public record Place(int line, int column) {
  @Override
  public String toString() {
    return line + ":" + column;
  }
}

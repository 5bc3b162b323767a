package dev.portolan.api;

/** A message that cannot be read; the text says which one, where in it, and why. */
public final class WireException extends Exception {
  private static final long serialVersionUID = 1L;

  /** A message at {@code place} that cannot be read because of {@code problem}. */
  public WireException(String place, String problem) {
    super(place.isEmpty() ? problem : place + ": " + problem);
  }
}

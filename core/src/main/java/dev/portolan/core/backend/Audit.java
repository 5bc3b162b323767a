package dev.portolan.core.backend;

/**
 * What an audit found.
 *
 * @param repaired how many objects were not as written, and are again
 * @param cause what is known of why, as half a sentence; empty where nothing is
 */
public record Audit(int repaired, String cause) {
  /** Everything was as written. */
  public static final Audit CLEAN = new Audit(0, "");
}

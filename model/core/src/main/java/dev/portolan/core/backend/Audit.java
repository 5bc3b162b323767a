package dev.portolan.core.backend;

/**
 * What an audit found.
 *
 * @param repaired how many objects were not as written, and are again
 * @param missing how many of them were missing or wrong, so that traffic may have suffered; the
 *     others were only too many
 * @param cause what is known of why, as half a sentence; empty where nothing is
 */
public record Audit(int repaired, int missing, String cause) {
  /** Everything was as written. */
  public static final Audit CLEAN = new Audit(0, 0, "");

  /** All objects that were repaired were missing or wrong. */
  public Audit(int repaired, String cause) {
    this(repaired, repaired, cause);
  }
}

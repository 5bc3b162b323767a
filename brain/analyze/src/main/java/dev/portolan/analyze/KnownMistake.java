package dev.portolan.analyze;

import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.text.Tree;
import java.util.Locale;
import java.util.Optional;

/**
 * A mistake that people make with services, under a code that never changes its meaning.
 *
 * @param code as in {@code P0101}
 * @param title the mistake in a few words
 * @param seen what a user notices of it
 * @param remedy what to do about it
 * @param text why it is a mistake, for a person who has not met it before
 * @param need what must be known to find it
 */
@Tree.Fields("code severity title seen remedy need text")
public record KnownMistake(
    String code,
    Severity severity,
    String title,
    String seen,
    String remedy,
    String text,
    @Tree.Named("needs") Need need) {
  public KnownMistake {
    text = text.strip();
  }

  /** How bad a mistake is; the worst comes first. */
  public enum Severity {
    ERROR,
    WARNING,
    INFO;

    /** Whether this is as bad as {@code other}, or worse. */
    public boolean reaches(Severity other) {
      return compareTo(other) <= 0;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What must be known of a cluster beyond what a proxy reads. */
  public enum Need {
    NOTHING(""),
    /** Fields of Services that no proxy reads: selectors, names of target ports. */
    WHOLE_SERVICES("Services"),
    /** Pods, or what makes them. */
    PODS("Pods");

    private final String label;

    Need(String label) {
      this.label = label;
    }

    /** The objects that must be known; empty for none. */
    @Override
    public String toString() {
      return label;
    }
  }

  /** A mistake because of which connections fail. */
  public static KnownMistake error(String code, String title) {
    return new KnownMistake(code, Severity.ERROR, title, "", "", "", Need.NOTHING);
  }

  /** A mistake that shows only for some clients, or soon. */
  public static KnownMistake warning(String code, String title) {
    return new KnownMistake(code, Severity.WARNING, title, "", "", "", Need.NOTHING);
  }

  /** What may be intended, and surprises those who did not know. */
  public static KnownMistake info(String code, String title) {
    return new KnownMistake(code, Severity.INFO, title, "", "", "", Need.NOTHING);
  }

  /** The same with what a user notices. */
  public KnownMistake seen(String words) {
    return new KnownMistake(code, severity, title, words, remedy, text, need);
  }

  /** The same with a remedy. */
  public KnownMistake remedy(String words) {
    return new KnownMistake(code, severity, title, seen, words, text, need);
  }

  /** The same with an explanation. */
  public KnownMistake because(String words) {
    return new KnownMistake(code, severity, title, seen, remedy, words, need);
  }

  /** The same, found only where {@code needed} is known. */
  public KnownMistake needing(Need needed) {
    return new KnownMistake(code, severity, title, seen, remedy, text, needed);
  }

  /** This mistake in one object. */
  public ClusterFinding in(ObjectRef object, String field, String words) {
    return new ClusterFinding(this, object, field, words, seen, remedy, Optional.empty());
  }
}

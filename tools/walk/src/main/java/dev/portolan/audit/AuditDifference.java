package dev.portolan.audit;

import dev.portolan.core.text.Tree;
import java.util.Locale;

/**
 * One thing in which a kernel is not as decided.
 *
 * @param place where clients find it, such as {@code 10.96.0.20:80/TCP}, or the object of the
 *     kernel; never empty
 * @param service whose it is, such as {@code shop/web:http}; empty where no service is known
 * @param text what is different, as a sentence that names neither of these
 */
@Tree.Fields("kind basis service place text")
public record AuditDifference(Kind kind, Basis basis, String place, String service, String text) {
  /** In which way it differs. */
  public enum Kind {
    /** Decided, and the kernel does not have it. */
    MISSING,
    /** The kernel has it, and nothing decided it. */
    STALE,
    /** Both have it, and do not agree on what becomes of packets. */
    DIFFERENT,
    /** Rules of another program stand in the way. */
    FOREIGN,
    /** Rules that cannot be understood, so that nothing can be said. */
    UNREADABLE;

    /** The kind in small letters. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** How it was found. */
  public enum Basis {
    /** A sync would change the kernel: the rules are compared one by one. */
    RULES,
    /** A packet does not meet what was decided for it. */
    PACKETS,
    /** The daemon has not decided what follows from the cluster's objects. */
    DECISION;

    /** The basis in small letters. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** {@code missing shop/web:http 10.96.0.20:80/TCP: ...}. */
  @Override
  public String toString() {
    return kind + " " + (service.isEmpty() ? "" : service + " ") + place + ": " + text;
  }
}

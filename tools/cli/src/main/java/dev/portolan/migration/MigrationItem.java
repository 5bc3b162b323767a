package dev.portolan.migration;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.text.Tree;
import java.util.List;
import java.util.Locale;

/**
 * One thing to know about the move.
 *
 * @param today how it is now
 * @param after how it will be with the new configuration
 * @param advice what to do about it
 * @param services those that are concerned; empty where it is not about single services
 */
public record MigrationItem(
    String id,
    @Tree.Named("severity") Level level,
    String today,
    String after,
    @Tree.Named("do") String advice,
    List<Affected> services) {
  public MigrationItem {
    services = List.copyOf(services);
  }

  /** The same item with one more sentence of advice. */
  MigrationItem advising(String sentence) {
    return new MigrationItem(id, level, today, after, advice + " " + sentence, services);
  }

  /** Whether a person is needed. */
  public enum Level {
    /** The user has to check or decide something. */
    CHECK,
    /** Good to know. */
    INFO;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** A service that is concerned, and what of it. */
  public record Affected(NamespacedName service, String why) {}
}

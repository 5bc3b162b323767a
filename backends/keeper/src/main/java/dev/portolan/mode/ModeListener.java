package dev.portolan.mode;

/** Is notified of what a backend does beside syncs; must not wait. */
public interface ModeListener {
  /** For those who need not know. */
  ModeListener NONE = new ModeListener() {};

  /** A connection has ended that passed through this process; a line for its log. */
  default void connection(String line) {}

  /** What an operator should know, as a sentence. */
  default void say(String sentence) {}
}

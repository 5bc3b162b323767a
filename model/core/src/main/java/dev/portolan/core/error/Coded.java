package dev.portolan.core.error;

/** An exception that knows its code. */
public interface Coded {
  /** The kind of failure. */
  ErrorCode code();
}

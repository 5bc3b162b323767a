package dev.portolan.terminal;

import dev.portolan.core.error.ErrorCode;

/** A command failed; the message is for the user. */
public final class CommandFailure extends RuntimeException {
  /** The exit status where something does not exist, would not be forwarded, or was refused. */
  public static final int FAILED = 1;

  /** The exit status after a mistake in the command line or in the input. */
  public static final int BAD_INPUT = 2;

  private static final long serialVersionUID = 1;

  private final int status;
  private final boolean helpHelps;

  private CommandFailure(int status, boolean helpHelps, String message) {
    super(message);
    this.status = status;
    this.helpHelps = helpHelps;
  }

  /** A mistake in what was to be read, which {@code cause} describes. */
  public static CommandFailure input(Exception cause) {
    return input(ErrorCode.of(cause), String.valueOf(cause.getMessage()));
  }

  /** A mistake in what was to be read, with a code for scripts. */
  public static CommandFailure input(ErrorCode code, String message) {
    return input(code.mark(message));
  }

  /** The machine refused, or lacks something, as {@code cause} describes. */
  public static CommandFailure refused(Exception cause) {
    return refused(ErrorCode.of(cause), String.valueOf(cause.getMessage()));
  }

  /** The machine refused, or lacks something; with a code for scripts. */
  public static CommandFailure refused(ErrorCode code, String message) {
    return refused(code.mark(message));
  }

  /** A mistake in the command line. */
  public static CommandFailure usage(String message) {
    return new CommandFailure(BAD_INPUT, true, message);
  }

  /** A mistake in what was to be read. */
  public static CommandFailure input(String message) {
    return new CommandFailure(BAD_INPUT, false, message);
  }

  /** What was asked for does not exist. */
  public static CommandFailure missing(String message) {
    return refused(ErrorCode.NOT_FOUND, message);
  }

  /** The machine refused, or lacks something. */
  public static CommandFailure refused(String message) {
    return new CommandFailure(FAILED, false, message);
  }

  /** The sentence for a person. */
  public String sentence() {
    return String.valueOf(getMessage());
  }

  /** The exit status of the process. */
  public int status() {
    return status;
  }

  /** Whether the command's help has the answer. */
  public boolean helpHelps() {
    return helpHelps;
  }
}

package dev.portolan.core.backend;

import dev.portolan.core.error.Coded;
import dev.portolan.core.error.ErrorCode;
import java.util.stream.Stream;

/**
 * A backend could not do what it was asked to; the message says what failed, where and what to do.
 */
public class BackendException extends RuntimeException implements Coded {
  private static final long serialVersionUID = 1;

  private final ErrorCode code;
  private final boolean rulesMissing;

  /** With a sentence for a person. */
  public BackendException(String message) {
    this(ErrorCode.BACKEND, message);
  }

  /** With a sentence for a person and what lies behind it. */
  public BackendException(String message, Throwable cause) {
    this(ErrorCode.BACKEND, message, cause);
  }

  /** With a code for scripts and a sentence for a person. */
  public BackendException(ErrorCode code, String message) {
    super(message);
    this.code = code;
    this.rulesMissing = false;
  }

  /** With a code for scripts, a sentence for a person and what lies behind it. */
  public BackendException(ErrorCode code, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
    this.rulesMissing = false;
  }

  private BackendException(BackendException repair) {
    super(repair.getMessage(), repair);
    this.code = repair.code;
    this.rulesMissing = true;
  }

  /**
   * What {@code failure}, thrown by a backend, is for those that run it: a failure like any other,
   * to be reported and retried. One that is not a {@code BackendException} gets a sentence that
   * names the exception and the line of the backend from which it came.
   *
   * @throws VirtualMachineError itself, where this process cannot go on; a stack that overflowed is
   *     only the backend's
   */
  public static BackendException of(Throwable failure) {
    return of("the backend", failure);
  }

  /** The same where {@code who} threw it, which is not the backend. */
  public static BackendException of(String who, Throwable failure) {
    if (failure instanceof BackendException known) {
      return known;
    }
    if (failure instanceof VirtualMachineError fatal && !(failure instanceof StackOverflowError)) {
      throw fatal;
    }
    if (failure instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    String why = failure.getMessage() == null ? "" : ": " + failure.getMessage();
    return new BackendException(
        who
            + " threw "
            + failure.getClass().getName()
            + place(failure)
            + why.replaceAll("\\s*\\R\\s*", " "),
        failure);
  }

  /** The innermost line that is not of Java itself; the machine leaves it out now and then. */
  private static String place(Throwable failure) {
    return Stream.of(failure.getStackTrace())
        .filter(frame -> !frame.getClassName().matches("(java|javax|jdk|sun)[.].*"))
        .findFirst()
        .map(frame ->
            " at %s.%s(%s:%d)"
                .formatted(
                    frame.getClassName(),
                    frame.getMethodName(),
                    frame.getFileName(),
                    frame.getLineNumber()))
        .orElse("");
  }

  /** This failure as that of a repair that left objects missing or wrong. */
  public BackendException leaving(int missing) {
    return missing == 0 ? this : new BackendException(this);
  }

  /** Whether a repair failed, and left rules missing or wrong. */
  public boolean leavesRulesMissing() {
    return rulesMissing;
  }

  @Override
  public ErrorCode code() {
    return code;
  }
}

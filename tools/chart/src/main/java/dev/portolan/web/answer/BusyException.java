package dev.portolan.web.answer;

/** A question is not answered because too many others are. */
public final class BusyException extends RuntimeException {
  private static final long serialVersionUID = 1;

  BusyException() {
    super("too many questions about the whole cluster at the same time; try again");
  }
}

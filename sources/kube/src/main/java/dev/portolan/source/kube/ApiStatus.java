package dev.portolan.source.kube;

import dev.portolan.core.text.Quotes;
import java.time.Duration;

/**
 * Why the server does not do what it was asked.
 *
 * @param code as in HTTP
 * @param retryAfter how long the server wants to be left alone; zero where it does not say
 */
record ApiStatus(int code, String reason, String message, Duration retryAfter) {
  private static final int GONE = 410;
  private static final int TOO_MANY_REQUESTS = 429;

  /** A status of which only this is known. */
  static ApiStatus of(int code, String message) {
    return new ApiStatus(code, "", message, Duration.ZERO);
  }

  /** Whether the version that was asked for is no longer kept. */
  boolean isGone() {
    return code == GONE || reason.equals("Expired") || reason.equals("Gone");
  }

  /** Whether the server is there and asks for patience. */
  boolean isBusy() {
    return code == TOO_MANY_REQUESTS;
  }

  /** Whether something is wrong on the server's side. */
  boolean isServerSide() {
    return code >= 500;
  }

  /** The status for a person: {@code 403 Forbidden: services is forbidden}. */
  @Override
  public String toString() {
    return code
        + (reason.isEmpty() ? "" : " " + Quotes.brief(reason))
        + (message.isEmpty() ? "" : ": " + brief(message));
  }

  private static String brief(String text) {
    StringBuilder brief = new StringBuilder();
    for (int i = 0; i < Math.min(text.length(), 300); i += 60) {
      brief.append(Quotes.brief(text.substring(i, Math.min(text.length(), i + 60))));
    }
    return brief.toString();
  }
}

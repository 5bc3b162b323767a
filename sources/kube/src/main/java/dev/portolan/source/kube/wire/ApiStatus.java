package dev.portolan.source.kube.wire;

import dev.portolan.core.text.Quotes;
import java.time.Duration;

/**
 * Why the server refused a request.
 *
 * @param code the HTTP status code
 * @param retryAfter how long the server asks the client to wait; zero if it does not say
 */
public record ApiStatus(int code, String reason, String message, Duration retryAfter) {
  private static final int GONE = 410;
  private static final int TOO_MANY_REQUESTS = 429;

  /** A status with a code and a message only. */
  public static ApiStatus of(int code, String message) {
    return new ApiStatus(code, "", message, Duration.ZERO);
  }

  /** Whether the server no longer keeps the requested version. */
  public boolean isGone() {
    return code == GONE || reason.equals("Expired") || reason.equals("Gone");
  }

  /** Whether the server asks the client to slow down. */
  public boolean isBusy() {
    return code == TOO_MANY_REQUESTS;
  }

  /** Whether something is wrong on the server's side. */
  public boolean isServerSide() {
    return code >= 500;
  }

  /** The status as shown to users: {@code 403 Forbidden: services is forbidden}. */
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

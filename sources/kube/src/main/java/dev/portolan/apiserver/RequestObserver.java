package dev.portolan.apiserver;

import java.net.URI;
import java.time.Duration;
import java.util.OptionalInt;

/** Notified of each request to an API server. Any thread may call, and must not be held up. */
public interface RequestObserver {
  /** Wants to know nothing. */
  RequestObserver NONE = (method, address, status, took) -> {};

  /**
   * A request was answered, or failed.
   *
   * @param method such as {@code GET}
   * @param status of the answer; empty where there was none
   * @param took until the first bytes of the answer, or until the failure
   */
  void ended(String method, URI address, OptionalInt status, Duration took);
}

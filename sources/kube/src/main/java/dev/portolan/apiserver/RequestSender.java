package dev.portolan.apiserver;

import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Java's client for HTTP. Its first request goes alone: each that starts beside it would open a
 * connection, with a TLS handshake, and all but one of those would be closed again.
 */
final class RequestSender {
  private final HttpClient http;
  private final AtomicBoolean begun = new AtomicBoolean();
  private final CountDownLatch answered = new CountDownLatch(1);

  RequestSender(HttpClient http) {
    this.http = http;
  }

  /**
   * Sends {@code request}, after the first one got an answer, or failed, or took longer than {@code
   * patience}.
   */
  CompletableFuture<HttpResponse<InputStream>> send(HttpRequest request, Duration patience)
      throws InterruptedException {
    boolean first = begun.compareAndSet(false, true);
    if (!first) {
      boolean _ = answered.await(patience.toNanos(), TimeUnit.NANOSECONDS);
    }
    CompletableFuture<HttpResponse<InputStream>> answer =
        http.sendAsync(request, BodyHandlers.ofInputStream());
    if (first) {
      CompletableFuture<?> _ = answer.whenComplete((response, failure) -> answered.countDown());
    }
    return answer;
  }

  /** Lets responses that are being read end, and takes no more requests. */
  void leave() {
    http.shutdown();
  }

  /** Whether all responses have ended after {@link #leave}. */
  boolean hasEnded() {
    return http.isTerminated();
  }

  /** Ends all responses. */
  void end() {
    http.shutdownNow();
  }
}

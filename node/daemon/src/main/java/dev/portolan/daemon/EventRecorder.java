package dev.portolan.daemon;

import dev.portolan.apiserver.ApiResponse;
import dev.portolan.apiserver.ApiServer;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.error.Threads;
import dev.portolan.core.text.Json;
import dev.portolan.telemetry.log.Log;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Writes events to the cluster. They wait until the server takes them, so none is lost for being
 * early; when too many wait, the newest are left out.
 */
final class EventRecorder implements ClusterEvents, AutoCloseable {
  private static final int MOST_WAITING = 100;
  private static final int TRIES = 12;
  private static final Duration PAUSE = Duration.ofSeconds(10);
  private static final DateTimeFormatter MICROSECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT);
  private static final Duration LAST_WORDS = Duration.ofSeconds(2);

  private final ApiServer api;
  private final String node;
  private final Log log;
  private final BlockingQueue<Event> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
  private final AtomicInteger unsent = new AtomicInteger();
  private final AtomicBoolean full = new AtomicBoolean();
  private final Thread sender;

  private record Event(String namespace, String name, Map<String, Object> object) {}

  EventRecorder(ApiServer api, String node, Log log) {
    this.api = api;
    this.node = node;
    this.log = log;
    this.sender = Threads.virtual("events").lasting().start(this::send);
  }

  @Override
  public void aboutNode(String type, String reason, String note) {
    Map<String, Object> regarding = new LinkedHashMap<>();
    regarding.put("kind", "Node");
    regarding.put("name", node);
    record("default", node, regarding, type, reason, "StartKubeProxy", note);
  }

  @Override
  public void aboutService(NamespacedName service, String reason, String action, String note) {
    Map<String, Object> regarding = new LinkedHashMap<>();
    regarding.put("kind", "Service");
    regarding.put("namespace", service.namespace());
    regarding.put("name", service.name());
    record(service.namespace(), service.name(), regarding, "Warning", reason, action, note);
  }

  private void record(
      String namespace,
      String subject,
      Map<String, Object> regarding,
      String type,
      String reason,
      String action,
      String note) {
    String name = subject + "." + UUID.randomUUID().toString().replace("-", "").substring(0, 16);
    Map<String, Object> event = new LinkedHashMap<>();
    event.put("apiVersion", "events.k8s.io/v1");
    event.put("kind", "Event");
    event.put("metadata", Map.of("name", name, "namespace", namespace));
    event.put("eventTime", microseconds(Instant.now()));
    event.put("reportingController", "kube-proxy");
    event.put("reportingInstance", "kube-proxy-" + node);
    event.put("action", action);
    event.put("reason", reason);
    event.put("regarding", regarding);
    event.put("type", type);
    event.put("note", note.length() > 1000 ? note.substring(0, 1000) : note);
    unsent.incrementAndGet();
    if (!waiting.offer(new Event(namespace, name, event))) {
      unsent.decrementAndGet();
      if (!full.getAndSet(true)) {
        log.warn("Events are dropped, too many are queued", "reason", reason, "note", note);
      }
    } else {
      full.set(false);
    }
  }

  /** As the API server wants a time: with six digits behind the second. */
  private static String microseconds(Instant now) {
    return MICROSECONDS.format(now.atOffset(ZoneOffset.UTC));
  }

  private void send() {
    try {
      while (true) {
        Event event = waiting.take();
        try {
          send(event);
        } finally {
          unsent.decrementAndGet();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void send(Event event) throws InterruptedException {
    String problem = "";
    for (int i = 0; i < TRIES; i++) {
      if (i > 0) {
        TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
      }
      try (ApiResponse answer =
          api.post(
              "/apis/events.k8s.io/v1/namespaces/" + event.namespace + "/events",
              "application/json",
              Json.line(event.object).getBytes(StandardCharsets.UTF_8))) {
        if (answer.status() < 300) {
          return;
        }
        problem = "the server answers " + answer.status();
        if (answer.status() < 500 && answer.status() != 429) {
          break;
        }
      } catch (IOException e) {
        problem = String.valueOf(e.getMessage());
      }
    }
    log.warn("An event could not be written", "event", event.name, "cause", problem);
  }

  /** Lets what waits go out for a moment, then ends. */
  @Override
  public void close() {
    long end = System.nanoTime() + LAST_WORDS.toNanos();
    boolean interrupted = Thread.interrupted();
    try {
      while (unsent.get() > 0 && System.nanoTime() < end) {
        TimeUnit.MILLISECONDS.sleep(10);
      }
    } catch (InterruptedException e) {
      interrupted = true;
    }
    sender.interrupt();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}

package dev.portolan.daemon;

import dev.portolan.apiserver.ApiResponse;
import dev.portolan.apiserver.ApiServer;
import dev.portolan.config.StartPlan;
import dev.portolan.config.finding.ConfigException;
import dev.portolan.core.backend.Backoff;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.error.Threads;
import dev.portolan.core.text.Json;
import dev.portolan.telemetry.log.Log;
import dev.portolan.text.Field;
import dev.portolan.text.TextException;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The taint that keeps pods away from this node until its rules are in place. It is removed once,
 * by a thread of its own: the rules wait for nothing here.
 */
final class NodeTaint implements AutoCloseable {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
  private static final String JSON = "application/json";

  /** The Node is not the one that was read; that is fine. */
  private static final String OTHERS = "the Node was changed meanwhile";

  private final ApiServer api;
  private final String node;
  private final String key;
  private final Log log;
  private final Thread worker = Threads.virtual("node-taint").lasting().unstarted(this::work);
  private String said = "";

  /** What could not be done, and why. */
  private static final class NotYet extends Exception {
    private static final long serialVersionUID = 1;

    NotYet(String sentence) {
      super(sentence);
    }
  }

  NodeTaint(ApiServer api, String node, String key, Log log) {
    this.api = api;
    this.node = node;
    this.key = key;
    this.log = log;
  }

  /** The key that {@code plan} names; empty where it names none. */
  static Optional<String> key(StartPlan plan) {
    String key = plan.flags().text("node-taint");
    if (key.contains("=") || key.contains(":")) {
      throw ConfigException.of(
          "--node-taint",
          "'%s' is not a valid key; write it without value and effect, as in %s"
              .formatted(key, key.split("[=:]", 2)[0]));
    }
    return Optional.of(key).filter(text -> !text.isEmpty());
  }

  /** Begins to remove it; returns at once. */
  void remove() {
    worker.start();
  }

  @Override
  public void close() {
    worker.interrupt();
  }

  private void work() {
    Backoff backoff = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
    try {
      while (!isRemoved()) {
        TimeUnit.NANOSECONDS.sleep(backoff.next().toNanos());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isRemoved() throws InterruptedException {
    try {
      List<Map<String, Object>> patch = patch(read());
      if (patch.isEmpty()) {
        log.v(2).info("The node does not have the taint", "node", node, "taint", key);
        return true;
      }
      write(patch);
      log.info("Removed the taint from the node", "node", node, "taint", key);
      return true;
    } catch (NotYet | IOException | TextException e) {
      say(String.valueOf(e.getMessage()));
      return false;
    }
  }

  /** Each reason once, however often it is tried. */
  private void say(String sentence) {
    if (!sentence.equals(said) && !sentence.equals(OTHERS)) {
      said = sentence;
      log.error(
          "The taint stays on the node, so that no pods are placed there; retrying",
          "code",
          ErrorCode.API_SERVER_REFUSED,
          "node",
          node,
          "taint",
          key,
          "cause",
          sentence);
    }
  }

  private Field read() throws IOException, InterruptedException, NotYet {
    String name = URLEncoder.encode(node, StandardCharsets.UTF_8);
    try (ApiResponse answer =
        api.get("/api/v1/nodes?fieldSelector=metadata.name%3D" + name, JSON)) {
      check(answer, "list");
      List<Field> found =
          Field.parse("the API server's answer", "NodeList", answer.body().readAllBytes())
              .at("items")
              .items();
      if (found.isEmpty()) {
        throw new NotYet("there is no Node " + node);
      }
      return found.getFirst();
    }
  }

  /** Removes by position, from the last one on, from just the object that was read. */
  private List<Map<String, Object>> patch(Field object) {
    List<Map<String, Object>> patch = new ArrayList<>();
    List<Field> taints = object.at("spec").at("taints").items();
    for (int i = taints.size() - 1; i >= 0; i--) {
      if (taints.get(i).at("key").text("").equals(key)) {
        patch.add(Map.of("op", "remove", "path", "/spec/taints/" + i));
      }
    }
    if (!patch.isEmpty()) {
      String version = object.at("metadata").at("resourceVersion").text();
      patch.addFirst(Map.of("op", "test", "path", "/metadata/resourceVersion", "value", version));
    }
    return patch;
  }

  private void write(List<Map<String, Object>> patch)
      throws IOException, InterruptedException, NotYet {
    try (ApiResponse answer =
        api.patch(
            "/api/v1/nodes/" + URLEncoder.encode(node, StandardCharsets.UTF_8),
            "application/json-patch+json",
            Json.line(patch).getBytes(StandardCharsets.UTF_8))) {
      check(answer, "patch");
    }
  }

  private void check(ApiResponse answer, String verb) throws NotYet {
    if (answer.status() == 403) {
      throw new NotYet(
          "this account is not allowed to %1$s nodes; grant it the verb %1$s on nodes"
              .formatted(verb));
    }
    if (answer.status() == 409 || answer.status() == 422) {
      throw new NotYet(OTHERS);
    }
    if (answer.status() >= 300) {
      throw new NotYet("the API server answers " + answer.status() + " to " + verb);
    }
  }
}

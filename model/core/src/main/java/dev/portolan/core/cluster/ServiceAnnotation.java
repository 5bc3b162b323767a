package dev.portolan.core.cluster;

import java.util.Arrays;
import java.util.List;

/**
 * The annotations of a Service that change what is decided, all of them. Sources keep these and
 * recordings have them, the API passes them on, diffs give them as causes, and the reference in
 * docs is made from here; only what acts on one knows it by name.
 */
public enum ServiceAnnotation {
  BALANCING(
      "portolan.dev/balancing",
      "`random`, `maglev` or `maglev-address`",
      "how new connections are spread over the endpoints ([balancing](../balancing.md))"),
  WEIGHTS(
      "portolan.dev/weights",
      "`POD=WEIGHT`, `node:NAME=WEIGHT` or `zone:NAME=WEIGHT`, separated by commas",
      "how much of the traffic endpoints get in proportion to the others"
          + " ([balancing](../balancing.md#weights))"),
  PRESERVE_DESTINATION(
      "preserve-destination",
      "`true`",
      "kube-proxy's, on Windows: endpoints see the service's own load-balancer address as the"
          + " destination ([windows](../windows.md))");

  private final String key;
  private final String forms;
  private final String effect;

  ServiceAnnotation(String key, String forms, String effect) {
    this.key = key;
    this.forms = forms;
    this.effect = effect;
  }

  /** The names of all. */
  public static List<String> keys() {
    return Arrays.stream(values()).map(ServiceAnnotation::key).toList();
  }

  /** As it is named in objects. */
  public String key() {
    return key;
  }

  /** What it can be, in Markdown. */
  public String forms() {
    return forms;
  }

  /** What it changes, in Markdown. */
  public String effect() {
    return effect;
  }

  /** Where it stands in a Service. */
  public String field() {
    return "metadata.annotations[" + key + "]";
  }

  /** What {@code metadata} says; empty where it says nothing. */
  public String in(ServiceMetadata metadata) {
    return metadata.annotations().getOrDefault(key, "");
  }
}

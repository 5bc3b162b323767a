package dev.portolan.source.kube;

import dev.portolan.apiserver.ApiResponse;
import dev.portolan.apiserver.ApiServer;
import dev.portolan.source.kube.wire.ApiStatus;
import dev.portolan.source.kube.wire.DecodeException;
import dev.portolan.source.kube.wire.InputBuffer;
import dev.portolan.source.kube.wire.ReadTimeout;
import dev.portolan.source.kube.wire.ReceivedObject;
import dev.portolan.source.kube.wire.Resource;
import dev.portolan.source.kube.wire.WireFormat;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;

/** The requests for objects of one type. */
final class Requests<K extends Comparable<? super K>, V> {
  private static final Duration LONGEST_LIST = Duration.ofMinutes(10);
  private static final int OK = 200;

  private final ApiServer api;
  private final Resource<K, V> resource;
  private final KubeSource.Options options;
  private final Timing timing;
  private final ReadTimeout timeout;
  private final Runnable undetected;
  private final WireFormat.Both formats;

  /**
   * Requests to {@code api}.
   *
   * @param undetected called where nothing ends a watch whose packets vanish
   */
  Requests(
      ApiServer api,
      Resource<K, V> resource,
      KubeSource.Options options,
      ReadTimeout timeout,
      Runnable undetected) {
    this.api = api;
    this.resource = resource;
    this.options = options;
    this.timing = options.timing();
    this.timeout = timeout;
    this.undetected = undetected;
    this.formats = WireFormat.Both.of(api.address() + resource.path());
  }

  /**
   * Lists the objects, as of {@code version} or later.
   *
   * @return the version that was listed
   */
  String list(String version, Consumer<ReceivedObject<K, V>> objects)
      throws IOException, InterruptedException {
    timeout.allow(timing.answer(), LONGEST_LIST);
    return page("resourceVersion=" + version + "&resourceVersionMatch=NotOlderThan", objects);
  }

  /** The version that the server is at. */
  String version() throws IOException, InterruptedException {
    timeout.allow(timing.answer(), timing.answer());
    return page("resourceVersion=&limit=1", object -> {});
  }

  /** Opens a watch of what changes after {@code version}, up to which {@code cache} is known. */
  EventStream<K, V> watch(ObjectCache<K, V> cache, String version, boolean sendsBookmarks)
      throws IOException, InterruptedException {
    long least = timing.watch().toSeconds();
    long seconds = least + (long) (least * options.random().getAsDouble());
    timeout.allow(timing.answer(), Duration.ofSeconds(seconds).plus(timing.margin()));
    ApiResponse response =
        ask(
            "watch",
            "watch=true&allowWatchBookmarks=true&timeoutSeconds="
                + seconds
                + "&resourceVersion="
                + version);
    if (!api.endDeadConnections()) {
      undetected.run();
    }
    try {
      EventStream.Opening<K, V> opening =
          new EventStream.Opening<>(
              resource, formats.of(response), timeout, timing.bookmark(), this::ended);
      return new EventStream<>(response, opening, cache, version, sendsBookmarks);
    } catch (DecodeException e) {
      response.close();
      throw e;
    }
  }

  private String page(String query, Consumer<ReceivedObject<K, V>> objects)
      throws IOException, InterruptedException {
    try (ApiResponse response = ask("list", query)) {
      InputBuffer in = new InputBuffer(response.body(), timeout);
      return formats.of(response).list(resource, in, objects);
    }
  }

  private RefusedException ended(ApiStatus status) {
    return new RefusedException(sentence("watch", status), status, true);
  }

  private ApiResponse ask(String verb, String query) throws IOException, InterruptedException {
    String question = resource.path() + "?" + query + resource.selectors();
    ApiResponse response = timeout.await(() -> api.getObjects(question, options.accept()));
    if (response.status() == OK) {
      return response;
    }
    try (response) {
      ApiStatus status = status(response);
      throw new RefusedException(sentence(verb, status), status, false);
    }
  }

  private ApiStatus status(ApiResponse response) {
    ApiStatus said;
    try {
      said = formats.of(response).status(new InputBuffer(response.body(), timeout));
    } catch (IOException e) {
      said = ApiStatus.of(response.status(), "");
    }
    Duration header =
        response.headers().firstValue("Retry-After").map(Requests::seconds).orElse(Duration.ZERO);
    Duration wait = header.compareTo(said.retryAfter()) > 0 ? header : said.retryAfter();
    return new ApiStatus(response.status(), said.reason(), said.message(), wait);
  }

  private static Duration seconds(String text) {
    return text.matches("[0-9]{1,9}") ? Duration.ofSeconds(Long.parseLong(text)) : Duration.ZERO;
  }

  private String sentence(String verb, ApiStatus status) {
    String remedy =
        switch (status.code()) {
          case 401 -> "; check the credentials";
          case 403 -> "; bind this client to the ClusterRole system:node-proxier";
          default -> "";
        };
    return api.address()
        + " answers the request to "
        + verb
        + " "
        + resource.name()
        + " with "
        + status
        + remedy;
  }
}

package dev.portolan.source.kube;

import dev.portolan.source.kube.access.ApiResponse;
import dev.portolan.source.kube.access.ApiServer;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Consumer;

/** What the server is asked for objects of one type. */
final class Requests<K extends Comparable<? super K>, V> {
  private static final Duration LONGEST_LIST = Duration.ofMinutes(10);
  private static final int OK = 200;

  private final ApiServer api;
  private final Resource<K, V> resource;
  private final KubeSource.Options options;
  private final Timing timing;
  private final Patience patience;
  private final Format.Both formats;

  Requests(ApiServer api, Resource<K, V> resource, KubeSource.Options options, Patience patience) {
    this.api = api;
    this.resource = resource;
    this.options = options;
    this.timing = options.timing();
    this.patience = patience;
    this.formats = Format.Both.of(api.address() + resource.path());
  }

  /**
   * Lists the objects, {@code pageSize} at a time; all at once where that is 0.
   *
   * @return the version that was listed
   */
  String list(int pageSize, Consumer<Found<K, V>> objects)
      throws IOException, InterruptedException {
    patience.grant(timing.answer(), LONGEST_LIST);
    String first = "resourceVersion=" + (pageSize > 0 ? "&limit=" + pageSize : "");
    ListMeta page = page(first, objects);
    while (!page.next().isEmpty()) {
      String next = URLEncoder.encode(page.next(), StandardCharsets.UTF_8);
      page = page("limit=" + pageSize + "&continue=" + next, objects);
    }
    return page.resourceVersion();
  }

  /** The version that the server is at. */
  String version() throws IOException, InterruptedException {
    patience.grant(timing.answer(), timing.answer());
    return page("resourceVersion=&limit=1", object -> {}).resourceVersion();
  }

  /** Opens a watch of what happens after {@code version}. */
  EventStream<K, V> watch(String version) throws IOException, InterruptedException {
    return watch(timing.answer(), "&resourceVersion=" + version);
  }

  /** Opens a watch that begins with all objects as they are now. */
  EventStream<K, V> watchFromState() throws IOException, InterruptedException {
    return watch(
        timing.initial(),
        "&resourceVersion=&resourceVersionMatch=NotOlderThan&sendInitialEvents=true");
  }

  private ListMeta page(String query, Consumer<Found<K, V>> objects)
      throws IOException, InterruptedException {
    try (ApiResponse response = ask("list", query)) {
      Input in = new Input(patience.over(response.body()));
      return formats.of(response).list(resource, in, objects);
    }
  }

  private EventStream<K, V> watch(Duration silence, String query)
      throws IOException, InterruptedException {
    long least = timing.watch().toSeconds();
    long seconds = least + (long) (least * options.random().getAsDouble());
    patience.grant(silence, Duration.ofSeconds(seconds).plus(timing.margin()));
    ApiResponse response =
        ask("watch", "watch=true&allowWatchBookmarks=true&timeoutSeconds=" + seconds + query);
    try {
      return new EventStream<>(
          response, resource, formats.of(response), patience, timing, this::ended);
    } catch (DecodeException e) {
      response.close();
      throw e;
    }
  }

  private RefusedException ended(ApiStatus status) {
    return new RefusedException(sentence("watch", status), status, true);
  }

  private ApiResponse ask(String verb, String query) throws IOException, InterruptedException {
    String question = resource.path() + "?" + query + resource.selectors();
    ApiResponse response = patience.await(() -> api.get(question, options.accept()));
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
      said = formats.of(response).status(new Input(patience.over(response.body())));
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

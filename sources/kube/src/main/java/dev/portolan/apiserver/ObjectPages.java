package dev.portolan.apiserver;

import dev.portolan.core.error.ErrorCode;
import dev.portolan.text.Field;
import dev.portolan.text.TextException;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Lists whole objects of a resource once, page by page, for commands that need all fields. */
public final class ObjectPages {
  private static final int OK = 200;
  private static final int GONE = 410;
  private static final int PAGE_SIZE = 500;

  private final ApiServer server;

  /** Asks {@code server}. */
  public ObjectPages(ApiServer server) {
    this.server = server;
  }

  /**
   * Hands over the objects at {@code path}, such as {@code /api/v1/pods}.
   *
   * @return why the server refuses, in its words; nothing if all objects were handed over
   * @throws ApiException if there is no answer, or one that is not a list
   */
  public Optional<String> list(String path, Consumer<Field> objects)
      throws ApiException, InterruptedException {
    String next = "";
    do {
      String query = "?limit=" + PAGE_SIZE + (next.isEmpty() ? "" : "&continue=" + next);
      try (ApiResponse response = server.getObjects(path + query, List.of("application/json"))) {
        byte[] body = response.body().readAllBytes();
        if (response.status() == OK) {
          Field page = Field.parse(server.address() + path, "list", body);
          page.at("items").items().forEach(objects);
          next = next(page);
          continue;
        }
        Optional<Field> status = status(body);
        next = response.status() == GONE ? status.map(ObjectPages::next).orElse("") : "";
        // A list that took too long is refused with the way to go on at a newer version.
        if (next.isEmpty()) {
          return Optional.of(
              server.address()
                  + " answers with "
                  + response.status()
                  + status
                      .map(said -> said.at("message").text(""))
                      .filter(message -> !message.isEmpty())
                      .map(message -> ": " + message)
                      .orElse(""));
        }
      } catch (TextException e) {
        throw unreadable(path, e);
      } catch (ApiException e) {
        throw e;
      } catch (IOException e) {
        throw unreadable(path, e);
      }
    } while (!next.isEmpty());
    return Optional.empty();
  }

  private ApiException unreadable(String path, Exception e) {
    return new ApiException(
        ErrorCode.API_SERVER_ANSWER,
        server.address() + path + ": the answer cannot be read: " + e.getMessage(),
        e);
  }

  /** What the server says of itself; nothing if what answers is not an API server. */
  private static Optional<Field> status(byte[] body) {
    try {
      return Optional.of(Field.parse("the answer", "Status", body)).filter(Field::isMapping);
    } catch (TextException e) {
      return Optional.empty();
    }
  }

  private static String next(Field list) {
    return URLEncoder.encode(list.at("metadata").at("continue").text(""), StandardCharsets.UTF_8);
  }
}

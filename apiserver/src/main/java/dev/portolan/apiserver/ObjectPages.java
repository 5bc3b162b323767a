package dev.portolan.apiserver;

import dev.portolan.core.error.ErrorCode;
import dev.portolan.text.Field;
import dev.portolan.text.TextException;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
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
      try (ApiResponse response = server.get(path + query, "application/json")) {
        Field answer = Field.parse(server.address() + path, "list", response.body().readAllBytes());
        next =
            URLEncoder.encode(
                answer.at("metadata").at("continue").text(""), StandardCharsets.UTF_8);
        if (response.status() == OK) {
          answer.at("items").items().forEach(objects);
        } else if (response.status() != GONE || next.isEmpty()) {
          // A page that took too long comes with the way to go on at a newer version.
          return Optional.of(
              server.address()
                  + " answers with "
                  + response.status()
                  + ": "
                  + answer.at("message").text("no reason given"));
        }
      } catch (TextException e) {
        throw new ApiException(
            ErrorCode.API_SERVER_ANSWER,
            server.address() + path + ": the answer cannot be read: " + e.getMessage(),
            e);
      } catch (ApiException e) {
        throw e;
      } catch (IOException e) {
        throw new ApiException(ErrorCode.API_SERVER_ANSWER, server.address() + path + ": " + e, e);
      }
    } while (!next.isEmpty());
    return Optional.empty();
  }
}

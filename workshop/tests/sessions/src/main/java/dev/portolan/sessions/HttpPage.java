package dev.portolan.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A page that a command serves. */
public record HttpPage(int status, String body) {
  /** Where a brain says in {@code log} that it serves pages. */
  public static String address(String log) {
    Matcher found = Pattern.compile("health on (http://127.0.0.1:\\d+)").matcher(log);
    assertThat(found.find()).as(log).isTrue();
    return found.group(1);
  }

  /** Reads a page. */
  public static HttpPage read(String address) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(URI.create(address)).timeout(Duration.ofMinutes(1)).build(),
              HttpResponse.BodyHandlers.ofString());
      return new HttpPage(answer.statusCode(), answer.body());
    }
  }
}

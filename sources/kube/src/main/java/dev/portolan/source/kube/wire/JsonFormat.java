package dev.portolan.source.kube.wire;

import dev.portolan.text.Field;
import dev.portolan.text.TextException;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** JSON. A list is cut into its items, and a watch into its events, before each is read. */
public final class JsonFormat implements WireFormat {
  /** The media type. */
  public static final String TYPE = "application/json";

  private final String place;

  /** {@code place} names what is read in messages. */
  JsonFormat(String place) {
    this.place = place;
  }

  @Override
  public <K extends Comparable<? super K>, V> String list(
      Resource<K, V> resource, InputBuffer in, Consumer<ReceivedObject<K, V>> objects)
      throws IOException {
    JsonCutter cutter = new JsonCutter(in);
    String metadata = "{}";
    String kind = "";
    cutter.expect('{');
    while (!cutter.takes('}')) {
      String key = cutter.value();
      cutter.expect(':');
      if (key.equals("\"items\"") && cutter.takes('[')) {
        while (!cutter.takes(']')) {
          objects.accept(received(resource, parse(cutter.value())));
          endOfItem(cutter, ']');
        }
      } else {
        String value = cutter.value();
        metadata = key.equals("\"metadata\"") ? value : metadata;
        kind = key.equals("\"kind\"") ? value : kind;
      }
      endOfItem(cutter, '}');
    }
    if (!kind.equals('"' + resource.listKind() + '"')) {
      throw new DecodeException("the answer is not a " + resource.listKind());
    }
    Field meta = parse(metadata);
    return read(meta, it -> text(it, "resourceVersion"));
  }

  private static void endOfItem(JsonCutter cutter, char close) throws IOException {
    if (cutter.peek() != close) {
      cutter.expect(',');
    }
  }

  @Override
  public <K extends Comparable<? super K>, V> @Nullable WatchEvent<K, V> event(
      Resource<K, V> resource, InputBuffer in) throws IOException {
    JsonCutter cutter = new JsonCutter(in);
    if (cutter.peek() < 0) {
      return null;
    }
    Field event = parse(cutter.value());
    String type = read(event, it -> text(it, "type"));
    Field object = read(event, it -> it.at("object"));
    return switch (type) {
      case "ADDED", "MODIFIED" -> new WatchEvent.Put<>(received(resource, object));
      case "DELETED" -> new WatchEvent.Gone<>(received(resource, object));
      case "BOOKMARK" -> read(object, JsonFormat::bookmark);
      case "ERROR" -> new WatchEvent.Failed<>(read(object, JsonFormat::status));
      default -> throw new DecodeException("an event is of the type '" + type + "'");
    };
  }

  /** The server ends each event with the end of a line. */
  @Override
  public boolean hasEvent(InputBuffer in) throws IOException {
    for (int i = 0; i < InputBuffer.LONGEST && in.hasNow(i + 1); i++) {
      if (in.at(i) == '\n' && i > 0) {
        return true;
      }
    }
    return false;
  }

  @Override
  public ApiStatus status(InputBuffer in) throws IOException {
    return read(parse(new JsonCutter(in).value()), JsonFormat::status);
  }

  private <K extends Comparable<? super K>, V> ReceivedObject<K, V> received(
      Resource<K, V> resource, Field object) throws DecodeException {
    Field meta = read(object, it -> it.at("metadata"));
    String name = read(meta, it -> text(it, "name"));
    if (name.isEmpty()) {
      throw new DecodeException("an object has no name");
    }
    K key = read(meta, it -> resource.key().apply(text(it, "namespace"), name));
    String version = read(meta, it -> text(it, "resourceVersion"));
    try {
      return new ReceivedObject<>(key, resource.json().apply(object), version, null);
    } catch (TextException e) {
      return new ReceivedObject<>(key, null, version, e.getMessage());
    }
  }

  private static <K, V> WatchEvent<K, V> bookmark(Field object) {
    return new WatchEvent.Bookmark<>(text(object.at("metadata"), "resourceVersion"));
  }

  private static ApiStatus status(Field object) {
    int seconds = object.at("details").at("retryAfterSeconds").number(0);
    return new ApiStatus(
        object.at("code").number(0),
        text(object, "reason"),
        text(object, "message"),
        Duration.ofSeconds(Math.max(0, seconds)));
  }

  private static String text(Field object, String key) {
    return object.at(key).text("");
  }

  private Field parse(String text) throws DecodeException {
    try {
      return Field.json(place, "", text);
    } catch (TextException e) {
      throw new DecodeException(String.valueOf(e.getMessage()), e);
    }
  }

  private static <T> T read(Field field, Function<Field, T> question) throws DecodeException {
    try {
      return question.apply(field);
    } catch (TextException e) {
      throw new DecodeException(String.valueOf(e.getMessage()), e);
    }
  }
}

package dev.portolan.server.access;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;

/**
 * Lines of the log about clients, which can cause as many as they like: at most one per minute and
 * client, with the number of those suppressed since the last one. A client is an address, so all
 * behind one address share a line, and so do all of the unix sockets.
 *
 * <p>{@code MOST_CLIENTS} addresses are kept apart; the others share a line, until one of those
 * known has had none for a minute.
 */
public final class ClientLines {
  static final int MOST_CLIENTS = 10_000;

  private static final long MINUTE = Duration.ofMinutes(1).toNanos();
  private static final Pattern NAME_OR_PORT = Pattern.compile("^.* at |:\\d+$");
  private static final String OTHERS = "";

  private final Consumer<String> log;
  private final LongSupplier nanos;

  /** The one whose last line is the oldest comes first. */
  private final SequencedMap<String, Said> clients = new LinkedHashMap<>();

  /** When there was a line about a client, and how many have been suppressed since. */
  private record Said(long at, long suppressed) {}

  /** Logs to {@code log}, by the time of {@code nanos}. */
  public ClientLines(Consumer<String> log, LongSupplier nanos) {
    this.log = log;
    this.nanos = nanos;
  }

  /** Logs {@code line} about a client at {@code peer}, as {@link Caller#peer} gives it. */
  public synchronized void say(String peer, String line) {
    long now = nanos.getAsLong();
    String client = client(NAME_OR_PORT.matcher(peer).replaceAll(""), now);
    Said last = clients.get(client);
    if (last != null && now - last.at() < MINUTE) {
      clients.put(client, new Said(last.at(), last.suppressed() + 1));
      return;
    }
    clients.remove(client);
    clients.put(client, new Said(now, 0));
    log.accept(
        last == null || last.suppressed() == 0
            ? line
            : "%s; %d more since the last line about %s"
                .formatted(
                    line,
                    last.suppressed(),
                    client.equals(OTHERS) ? "other clients" : "this client"));
  }

  /** Whose line it is: that of {@code address}, if there is room for it. */
  private String client(String address, long now) {
    if (clients.size() < MOST_CLIENTS || clients.containsKey(address)) {
      return address;
    }
    Map.Entry<String, Said> oldest = clients.firstEntry();
    if (now - oldest.getValue().at() < MINUTE || oldest.getKey().equals(OTHERS)) {
      return OTHERS;
    }
    clients.remove(oldest.getKey());
    return address;
  }
}

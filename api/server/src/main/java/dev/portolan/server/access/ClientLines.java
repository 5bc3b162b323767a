package dev.portolan.server.access;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;

/**
 * Log lines about clients, limited per machine and minute: a client that comes and goes all the
 * time, each time under another name, does not fill the log.
 */
public final class ClientLines {
  private static final int MOST_LINES = 60;
  private static final int MOST_MACHINES = 10_000;
  private static final Pattern PORT = Pattern.compile(":\\d+$");

  private final Consumer<String> log;
  private final LongSupplier nanos;
  private final Map<String, RareLine> machines = new LinkedHashMap<>();

  /** Logs to {@code log}, by the time of {@code nanos}. */
  public ClientLines(Consumer<String> log, LongSupplier nanos) {
    this.log = log;
    this.nanos = nanos;
  }

  /** Logs {@code line} about a client at {@code peer}. */
  public void say(String peer, String line) {
    machine(PORT.matcher(peer).replaceFirst("")).accept(line);
  }

  private synchronized RareLine machine(String name) {
    RareLine known = machines.remove(name);
    RareLine lines = known == null ? new RareLine(log, nanos, MOST_LINES) : known;
    machines.put(name, lines);
    if (machines.size() > MOST_MACHINES) {
      machines.remove(machines.keySet().iterator().next());
    }
    return lines;
  }
}

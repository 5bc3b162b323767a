package dev.portolan.server.encoding;

import dev.portolan.api.StreamItem;
import dev.portolan.api.localv1.OpItem;
import dev.portolan.api.localv1.SourceLost;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/**
 * What is sent to clients that want a sign of life: whether the server's own source can be read,
 * and whether somebody waits for what the clients report.
 */
public final class Heartbeat {
  private final Set<Runnable> watchers = ConcurrentHashMap.newKeySet();
  private OpItem signs = OpItem.getDefaultInstance();
  private int waiting;
  private volatile StreamItem item = StreamItem.HEARTBEAT;

  /** Somebody who waits for reports. */
  @FunctionalInterface
  public interface Waiting extends AutoCloseable {
    @Override
    void close();
  }

  /** The newest one. */
  public StreamItem item() {
    return item;
  }

  /** Calls {@code watcher}, which must only wake up somebody, when there is another one. */
  public void watch(Runnable watcher) {
    watchers.add(watcher);
  }

  public void unwatch(Runnable watcher) {
    watchers.remove(watcher);
  }

  /** The source cannot be read {@code since} then, and {@code why}. */
  public void sourceLost(Instant since, String why) {
    SourceLost lost = StreamItem.heartbeat(since, why).message().getSourceLost();
    say(signs -> signs.setSourceLost(lost));
  }

  /** The source can be read. */
  public void sourceFound() {
    say(OpItem.Builder::clearSourceLost);
  }

  /** Has clients report at once until the result is closed. */
  public Waiting awaitReports() {
    await(1);
    return () -> await(-1);
  }

  private synchronized void await(int more) {
    waiting += more;
    say(signs -> signs.setReportsAwaited(waiting > 0));
  }

  private synchronized void say(UnaryOperator<OpItem.Builder> change) {
    OpItem now = change.apply(signs.toBuilder()).build();
    if (!now.equals(signs)) {
      signs = now;
      item = StreamItem.heartbeat(now);
      watchers.forEach(Runnable::run);
    }
  }
}

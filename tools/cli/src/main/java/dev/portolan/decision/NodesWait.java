package dev.portolan.decision;

import dev.portolan.api.v1.WaitReply;
import dev.portolan.api.v1.WaitRequest;
import dev.portolan.client.Connection;
import dev.portolan.client.ConnectionException;
import dev.portolan.client.Followed;
import dev.portolan.client.LinkListener;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.error.Threads;
import dev.portolan.decision.view.AwaitedNodes;
import dev.portolan.options.ApiOptions;
import dev.portolan.options.TlsOptions;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Text;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Follows all servers behind an address until their nodes are where they should be.
 *
 * <p>Each server has a thread. One that does not answer says nothing: a node that only it feeds is
 * missing then, until the node finds another server.
 */
public final class NodesWait {
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final ApiOptions api;
  private final TlsOptions tls;
  private final WaitRequest request;
  private final Remarks remarks;
  private final Map<Connection, WaitReply> replies = new HashMap<>();
  private final List<Thread> threads = new ArrayList<>();
  private int servers;
  private final Set<Connection> failing = new HashSet<>();
  private boolean stopping;
  private @Nullable String refusal;
  private String trouble = "";

  /** Follows the servers that the options name. */
  public NodesWait(ApiOptions api, TlsOptions tls, WaitRequest request, Remarks remarks) {
    this.api = api;
    this.tls = tls;
    this.request = request;
    this.remarks = remarks;
  }

  /**
   * Waits until {@code enough} is true of what the servers say, but not longer than {@code
   * longest}.
   *
   * @return what they said last; empty where none has ever answered
   */
  public Optional<AwaitedNodes> run(Duration longest, Predicate<AwaitedNodes> enough)
      throws InterruptedException {
    long end = System.nanoTime() + longest.toNanos();
    Optional<AwaitedNodes> last = Optional.empty();
    boolean done = false;
    while (!done && System.nanoTime() < end) {
      List<Connection> connections = api.connectEach(tls, remarks);
      try {
        begin(connections);
        done = await(end, enough);
        Optional<AwaitedNodes> now = newest();
        last = now.isPresent() ? now : last;
      } finally {
        stop(connections);
      }
    }
    return last;
  }

  /** Why no server answers; empty where one does. */
  public synchronized String trouble() {
    return trouble;
  }

  /** What the servers say now; empty where none answers. */
  public synchronized Optional<AwaitedNodes> newest() {
    return replies.isEmpty()
        ? Optional.empty()
        : Optional.of(AwaitedNodes.of(List.copyOf(replies.values())));
  }

  /** Whether it is enough; false where time is over, or where no server answers any more. */
  private synchronized boolean await(long end, Predicate<AwaitedNodes> enough)
      throws InterruptedException {
    long left = end - System.nanoTime();
    while (left > 0) {
      if (refusal != null) {
        throw CommandFailure.input(ErrorCode.BRAIN_API, Text.printable(refusal));
      }
      if (newest().filter(enough).isPresent()) {
        return true;
      }
      if (failing.size() == servers) {
        wait(Math.min(RETRY.toMillis(), left / 1_000_000 + 1));
        return false;
      }
      wait(left / 1_000_000 + 1);
      left = end - System.nanoTime();
    }
    return false;
  }

  private synchronized void begin(List<Connection> connections) {
    servers = connections.size();
    failing.clear();
    stopping = false;
    connections.forEach(this::follow);
  }

  private void follow(Connection connection) {
    threads.add(
        Threads.virtual("wait")
            .named("wait-" + connection.address())
            .lasting()
            .start(() -> {
              Followed server = new Followed(RETRY, LinkListener.NONE);
              server.run(() -> ask(connection, server));
            }));
  }

  private void ask(Connection connection, Followed server) throws ConnectionException {
    regain(connection);
    try {
      connection.waitFor(
          request,
          reply -> {
            server.works();
            return hear(connection, reply);
          });
    } catch (IllegalArgumentException e) {
      refuse(String.valueOf(e.getMessage()));
    } catch (ConnectionException e) {
      lose(connection, String.valueOf(e.getMessage()));
      throw e;
    }
  }

  private synchronized boolean hear(Connection connection, WaitReply reply) {
    if (!trouble.isEmpty()) {
      trouble = "";
      remarks.say(api + " is back");
    }
    replies.put(connection, reply);
    notifyAll();
    return true;
  }

  private synchronized void refuse(String sentence) {
    refusal = sentence;
    notifyAll();
  }

  private synchronized void lose(Connection connection, String sentence) {
    replies.remove(connection);
    failing.add(connection);
    if (!stopping && failing.size() == servers && trouble.isEmpty()) {
      remarks.say("lost: " + sentence + "; retrying");
      trouble = sentence;
    }
    notifyAll();
  }

  private synchronized void regain(Connection connection) {
    failing.remove(connection);
  }

  private void stop(List<Connection> connections) throws InterruptedException {
    synchronized (this) {
      stopping = true;
    }
    threads.forEach(Thread::interrupt);
    connections.forEach(Connection::close);
    for (Thread thread : threads) {
      thread.join();
    }
    threads.clear();
    synchronized (this) {
      replies.clear();
    }
  }
}

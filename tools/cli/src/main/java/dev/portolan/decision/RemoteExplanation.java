package dev.portolan.decision;

import dev.portolan.api.ExplanationMessages;
import dev.portolan.api.WireException;
import dev.portolan.api.v1.ExplainReply;
import dev.portolan.api.v1.ExplainRequest;
import dev.portolan.client.Connection;
import dev.portolan.client.ConnectionException;
import dev.portolan.core.backend.Backoff;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import dev.portolan.terminal.Waiting;
import dev.portolan.terminal.view.Explained;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What happens to connections, as the process says that decided it. */
public final class RemoteExplanation {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  private final Connection connection;
  private final ExplainRequest request;
  private final Remarks remarks;
  private final String where;
  private @Nullable Waiting waiting;
  private boolean answered;
  private boolean lost;

  /** Asks the server behind {@code connection}; one that is older explains nftables alone. */
  public RemoteExplanation(Connection connection, ExplainRequest request, Remarks remarks) {
    this.connection = connection;
    this.request = request;
    this.remarks = remarks;
    this.where = connection.address().toString();
  }

  /** The answer as it is now. */
  public Explained read() {
    try (Waiting _ = waiting()) {
      return connection
          .explain(request, RemoteDecision.LONGEST)
          .map(this::explained)
          .orElseThrow(() -> RemoteDecision.undecided(where));
    } catch (ConnectionException e) {
      throw failure(e);
    }
  }

  /**
   * The answer now, and each time that it is another one, until nothing reads it any more. A
   * connection that is lost comes back; before the first answer it is a mistake.
   */
  public void follow(Consumer<Explained> answers, Terminal terminal) {
    Backoff backoff = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
    try (Waiting first = waiting()) {
      waiting = first;
      while (!Thread.currentThread().isInterrupted()) {
        try {
          connection.watchExplain(
              request,
              reply -> {
                backoff.reset();
                arrived();
                answers.accept(explained(reply));
                answered = true;
                if (terminal.isClosed()) {
                  throw new Follower.NobodyReads();
                }
              });
        } catch (ConnectionException e) {
          lost(e);
        } catch (IllegalArgumentException e) {
          if (!answered) {
            throw e;
          }
          lost(String.valueOf(e.getMessage()));
        }
        Thread.sleep(backoff.next());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Follower.NobodyReads e) {
      // There is nothing left to do.
    }
  }

  private void arrived() {
    if (waiting != null) {
      waiting.close();
    }
    if (lost) {
      lost = false;
      remarks.say("resumed: " + where + " is back");
    }
  }

  private void lost(ConnectionException e) {
    if (Thread.currentThread().isInterrupted()) {
      return;
    }
    if (!answered) {
      throw failure(e);
    }
    lost(String.valueOf(e.getMessage()));
  }

  private void lost(String sentence) {
    if (!lost) {
      lost = true;
      remarks.say("lost: " + Text.printable(sentence) + "; retrying");
    }
  }

  private Waiting waiting() {
    return Waiting.announce(() -> "waiting for " + where + " to answer", remarks);
  }

  private static CommandFailure failure(ConnectionException e) {
    return CommandFailure.input(e.code(), Text.printable(String.valueOf(e.getMessage())));
  }

  private Explained explained(ExplainReply reply) {
    if (!request.getProxyMode().isEmpty() && !request.getProxyMode().equals(reply.getProxyMode())) {
      throw CommandFailure.refused(
          ErrorCode.BRAIN_API,
          where
              + ": the server there is older than this program and explains the mode nftables"
              + " only; remove --proxy-mode");
    }
    if (!reply.getNodeKnown() && !answered) {
      RemoteDecision.checkKnown(connection, reply.getNode(), remarks);
    }
    try {
      Map<ObjectRef, String> places = ExplanationMessages.places(reply);
      return new Explained(
          request.getTarget(),
          reply.getProxyMode(),
          request.getAllNodes(),
          ExplanationMessages.explanations(reply),
          object -> Optional.ofNullable(places.get(object)));
    } catch (WireException e) {
      throw CommandFailure.input(
          ErrorCode.BRAIN_API, Text.printable(where + ": " + e.getMessage()));
    }
  }
}

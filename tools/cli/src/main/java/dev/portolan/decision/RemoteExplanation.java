package dev.portolan.decision;

import dev.portolan.api.ExplanationMessages;
import dev.portolan.api.WireException;
import dev.portolan.api.v1.ExplainReply;
import dev.portolan.api.v1.ExplainRequest;
import dev.portolan.client.Connection;
import dev.portolan.client.ConnectionException;
import dev.portolan.client.Followed;
import dev.portolan.client.Subscription;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.explain.Client;
import dev.portolan.explain.ExplainQuestion;
import dev.portolan.options.LinkRemarks;
import dev.portolan.options.NodeOptions;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import dev.portolan.terminal.Waiting;
import dev.portolan.terminal.view.Explained;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** What happens to connections, as the process says that decided it. */
public final class RemoteExplanation {
  private final Connection connection;
  private final ExplainRequest request;
  private final Remarks remarks;
  private final String where;
  private boolean answered;

  /** Asks the server behind {@code connection}; one that is older explains nftables alone. */
  public RemoteExplanation(
      Connection connection, ExplainQuestion question, NodeOptions options, Remarks remarks) {
    this.connection = connection;
    this.request =
        ExplainRequest.newBuilder()
            .setNode(options.nodeOfBrain().orElse(""))
            .setTarget(question.target().toString())
            .setClient(question.client().map(Client::toString).orElse(""))
            .setAllNodes(question.allNodes())
            .setProxyMode(question.mode())
            .build();
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
    Followed server =
        new Followed(
            Subscription.DEFAULT_ERROR_DELAY,
            new LinkRemarks(remarks, "resumed: " + where + " is back"));
    try (Waiting first = waiting()) {
      Runnable begin = first::close;
      server.run(() ->
          ask(reply -> {
            begin.run();
            server.works();
            answers.accept(explained(reply));
            answered = true;
            if (terminal.isClosed()) {
              throw new Follower.NobodyReads();
            }
          }));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Follower.NobodyReads e) {
      // There is nothing left to do.
    }
  }

  private void ask(Consumer<ExplainReply> answers) throws ConnectionException {
    try {
      connection.watchExplain(request, answers);
    } catch (ConnectionException e) {
      if (!answered && !Thread.currentThread().isInterrupted()) {
        throw failure(e);
      }
      throw e;
    } catch (IllegalArgumentException e) {
      if (!answered) {
        throw e;
      }
      throw new ConnectionException(String.valueOf(e.getMessage()), e);
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

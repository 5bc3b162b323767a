package dev.portolan.cli.decision;

import dev.portolan.api.ExplanationMessages;
import dev.portolan.api.WireException;
import dev.portolan.api.v1.ExplainReply;
import dev.portolan.api.v1.ExplainRequest;
import dev.portolan.client.Connection;
import dev.portolan.client.ConnectionException;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Text;
import dev.portolan.terminal.Waiting;
import dev.portolan.terminal.view.Explained;
import java.util.concurrent.TimeoutException;

/** What happens to connections, as the process says that decided it. */
public final class RemoteExplanation {
  private RemoteExplanation() {}

  /** Asks the server behind {@code connection}; one that is older explains nftables alone. */
  public static Explained read(Connection connection, ExplainRequest request, Remarks remarks) {
    String where = connection.address().toString();
    try (Waiting _ = Waiting.announce(() -> "waiting for " + where + " to answer", remarks)) {
      ExplainReply reply = connection.explain(request, RemoteDecision.LONGEST);
      if (!request.getProxyMode().isEmpty()
          && !request.getProxyMode().equals(reply.getProxyMode())) {
        throw CommandFailure.refused(
            ErrorCode.BRAIN_API,
            where
                + ": the server there is older than this program and explains the mode nftables"
                + " only; remove --proxy-mode");
      }
      if (!reply.getNodeKnown()) {
        RemoteDecision.checkKnown(connection, reply.getNode(), remarks);
      }
      return new Explained(
          request.getTarget(),
          reply.getProxyMode(),
          request.getAllNodes(),
          ExplanationMessages.explanations(reply),
          ExplanationMessages.places(reply));
    } catch (ConnectionException e) {
      throw CommandFailure.input(e.code(), Text.printable(String.valueOf(e.getMessage())));
    } catch (WireException e) {
      throw CommandFailure.input(
          ErrorCode.BRAIN_API, Text.printable(where + ": " + e.getMessage()));
    } catch (TimeoutException e) {
      throw RemoteDecision.undecided(where);
    }
  }
}

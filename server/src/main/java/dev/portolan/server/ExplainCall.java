package dev.portolan.server;

import dev.portolan.api.ExplanationMessages;
import dev.portolan.api.v1.ExplainReply;
import dev.portolan.api.v1.ExplainRequest;
import dev.portolan.brain.explain.Client;
import dev.portolan.brain.explain.Target;
import dev.portolan.server.access.Caller;
import io.grpc.Status;
import java.util.Optional;
import java.util.function.Supplier;

/** Answers once what happens to a connection on a node, and why. */
final class ExplainCall {
  private final Conversation<ExplainRequest, ExplainReply> conversation;
  private final Caller caller;
  private final Served served;

  ExplainCall(
      Conversation<ExplainRequest, ExplainReply> conversation, Caller caller, Served served) {
    this.conversation = conversation;
    this.caller = caller;
    this.served = served;
  }

  /** Waits until the cluster is known, and answers. */
  void run() {
    ExplainRequest request = conversation.read().orElse(ExplainRequest.getDefaultInstance());
    String node = served.node(request.getNode());
    caller.checkMayWatch(node);
    Target target = asked(() -> Target.parse(request.getTarget()));
    Optional<Client> client =
        Optional.of(request.getClient())
            .filter(text -> !text.isEmpty())
            .map(text -> asked(() -> Client.parse(text)));
    try (Views.View view = served.views().open(node)) {
      conversation.awaitAfter(view.feed(), 0);
      conversation.write(reply(asked(() -> view.explain(target, client))));
    }
  }

  private ExplainReply reply(Views.Explained explained) {
    ExplainReply.Builder reply =
        ExplainReply.newBuilder()
            .setNode(explained.image().facts().name())
            .setNodeKnown(explained.image().facts().known())
            .setRevision(explained.image().revision());
    ExplanationMessages.write(explained.explanations(), served.places(), reply);
    return reply.build();
  }

  /** What the client asked for; the core says in a sentence where that makes no sense. */
  private static <T> T asked(Supplier<T> reading) {
    try {
      return reading.get();
    } catch (IllegalArgumentException e) {
      throw Status.INVALID_ARGUMENT.withDescription(e.getMessage()).asRuntimeException();
    }
  }
}

package dev.portolan.server;

import dev.portolan.api.NextItems;
import dev.portolan.api.localnetv1.EndpointConditions;
import dev.portolan.api.localnetv1.NextFilter;
import dev.portolan.api.localnetv1.NextItem;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.NodeSnapshot;
import dev.portolan.server.access.Caller;

/** Sends one client the full state of its node once, when there is a new one. */
final class LongPoll {
  private final Conversation<NextFilter, NextItem> conversation;
  private final Caller caller;
  private final Served served;

  LongPoll(Conversation<NextFilter, NextItem> conversation, Caller caller, Served served) {
    this.conversation = conversation;
    this.caller = caller;
    this.served = served;
  }

  /** Waits and answers. */
  void run() {
    NextFilter filter = conversation.read().orElse(NextFilter.getDefaultInstance());
    String node = served.node(filter.getNodeName());
    caller.checkMayWatch(node);
    try (Views.View view = served.views().open(node)) {
      answer(filter, view);
    }
  }

  private void answer(NextFilter filter, Views.View view) {
    long instance = served.views().instance();
    long least = filter.getInstanceID() == instance ? Math.max(1, filter.getRev()) : 1;
    Feed.State<NodeSnapshot> state =
        conversation.awaitState(view.feed(), newest -> newest.serial() >= least);
    NodeImage image = state.value().image();
    NextFilter next = filter.toBuilder().setInstanceID(instance).setRev(state.serial() + 1).build();
    conversation.write(NextItems.first(next, image.facts()));
    EndpointConditions required = filter.getRequiredEndpointConditions();
    for (NodeService service : image.services()) {
      conversation.write(NextItems.service(service, view.node(), required));
    }
  }
}

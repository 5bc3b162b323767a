package dev.portolan.api;

import dev.portolan.api.localv1.Change;
import dev.portolan.api.localv1.Endpoint;
import dev.portolan.api.localv1.Position;
import dev.portolan.api.localv1.Service;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.Trigger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The messages of the local stream, from and to the model. */
public final class NodeMessages {
  private NodeMessages() {}

  /** The message of {@code facts}. */
  public static dev.portolan.api.localv1.NodeFacts facts(NodeFacts facts) {
    return Facts.write(facts);
  }

  /** Adds or replaces {@code facts}. */
  public static StreamItem factsItem(NodeFacts facts) {
    return StreamItem.set(dev.portolan.api.localv1.Set.NodeFactsSet, facts.name(), facts(facts));
  }

  /** The message of {@code service}, with KPNG's fields and the decision. */
  public static Service service(NodeService service) {
    return KpngFields.service(service).setDecision(Decisions.write(service)).build();
  }

  /** What a Sync completes, where the next one has to be asked for. */
  public static Change change(long instance, long revision, List<Trigger> triggers) {
    return change(instance, revision, triggers, false);
  }

  /** What a Sync completes; {@code pushed} says that the next one comes unasked. */
  public static Change change(
      long instance, long revision, List<Trigger> triggers, boolean pushed) {
    Change.Builder change =
        Change.newBuilder()
            .setPushed(pushed)
            .setPosition(Position.newBuilder().setInstance(instance).setRevision(revision));
    for (Trigger trigger : triggers) {
      change
          .addTriggersBuilder()
          .setNamespace(trigger.service().namespace())
          .setName(trigger.service().name())
          .setUnixNanos(Times.nanos(trigger.time()));
    }
    return change.build();
  }

  /** The facts in {@code message}. */
  public static NodeFacts facts(dev.portolan.api.localv1.NodeFacts message) throws WireException {
    return Facts.read(message, FieldPath.message("NodeFacts", message.getName()));
  }

  /**
   * The service in {@code message}. Where a decision is there, it says everything; else {@code
   * endpoints}, as a KPNG server sends them to {@code node}, are all that there is to decide by.
   */
  public static NodeService service(Service message, Collection<Endpoint> endpoints, String node)
      throws WireException {
    FieldPath place =
        FieldPath.message("Service", message.getNamespace() + "/" + message.getName());
    return message.hasDecision()
        ? Decisions.read(message, place)
        : KpngServices.read(message, endpoints, node, place);
  }

  /** The triggers in {@code change}. */
  public static List<Trigger> triggers(Change change) throws WireException {
    List<Trigger> triggers = new ArrayList<>(change.getTriggersCount());
    for (int i = 0; i < change.getTriggersCount(); i++) {
      dev.portolan.api.localv1.Trigger trigger = change.getTriggers(i);
      FieldPath place = FieldPath.message("Sync", "").element("Change.Triggers", i);
      triggers.add(
          new Trigger(
              new NamespacedName(
                  place.name("Namespace", trigger.getNamespace()),
                  place.name("Name", trigger.getName())),
              Times.instant(trigger.getUnixNanos())));
    }
    return triggers;
  }
}

package dev.portolan.audit;

import dev.portolan.brain.NodeDecision;
import dev.portolan.core.fate.Explanation;
import dev.portolan.core.node.Dataplane;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;
import dev.portolan.explain.Client;
import dev.portolan.explain.Explainer;
import dev.portolan.explain.Target;
import dev.portolan.walk.FirstPacket;
import dev.portolan.walk.Ruleset;
import dev.portolan.walk.ServedPlace;
import dev.portolan.walk.WalkResult;
import dev.portolan.walk.WalkResult.Way;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Rules that do what an explanation says: a kernel as it should be. */
final class ExplainedRuleset implements Ruleset {
  private final NodeImage image;
  private final Explainer explainer;

  ExplainedRuleset(NodeDecision decision, Dataplane dataplane) {
    this.image = decision.image();
    this.explainer = new Explainer(decision, dataplane);
  }

  @Override
  public String description() {
    return "rules as explained";
  }

  @Override
  public Set<ServedPlace> served() {
    Set<ServedPlace> served = new HashSet<>();
    for (NodeService service : image.services()) {
      for (ServicePort port : service.ports()) {
        for (ServiceAddress address : port.addresses()) {
          served.add(
              new ServedPlace(
                  port.family(),
                  port.name().protocol(),
                  Optional.of(address.address()).filter(ip -> !ip.isUnspecified()),
                  address.port(),
                  port.name().toString()));
        }
      }
    }
    return served;
  }

  @Override
  public WalkResult walk(FirstPacket packet) {
    Explanation explanation =
        explainer
            .explain(
                new Target.OfAddress(
                    packet.destination(), packet.port(), Optional.of(packet.protocol())),
                Optional.of(new Client.At(packet.source())))
            .getFirst();
    List<Way> ways =
        explanation.endpoints().stream()
            .map(share ->
                new Way(
                    share.endpoint().address(),
                    share.endpoint().port(),
                    share.masquerade(),
                    share.share(),
                    explanation.isKept()))
            .toList();
    return new WalkResult(explanation.verdict(), ways, List.of(), "");
  }
}

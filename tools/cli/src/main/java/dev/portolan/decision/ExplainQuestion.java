package dev.portolan.decision;

import dev.portolan.api.v1.ExplainRequest;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.explain.Client;
import dev.portolan.explain.PodAddresses;
import dev.portolan.explain.Target;
import dev.portolan.options.NodeOptions;
import dev.portolan.terminal.CommandFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What is asked of {@code explain}.
 *
 * @param mode the mode that is asked about; empty for the usual one
 */
public record ExplainQuestion(
    Target target, Optional<Client> client, boolean allNodes, String mode) {
  /** The question to a server. */
  public ExplainRequest request(NodeOptions options) {
    return ExplainRequest.newBuilder()
        .setNode(options.nodeOfBrain().orElse(""))
        .setTarget(target.toString())
        .setClient(client.map(Client::toString).orElse(""))
        .setAllNodes(allNodes)
        .setProxyMode(mode)
        .build();
  }

  /** The nodes of {@code cluster} that the question is about. */
  public List<String> nodes(ClusterImage cluster, NodeChoice choice) {
    if (allNodes) {
      List<String> all = new ArrayList<>();
      cluster.nodes().forEach(entry -> all.add(entry.getKey()));
      if (all.isEmpty()) {
        throw CommandFailure.usage(choice.source() + " has no Node; specify one with --node");
      }
      return all;
    }
    boolean unnamed = choice.named().isEmpty();
    return List.of(
        unnamed && client.isPresent() && client.get() instanceof Client.NamedPod(NamespacedName pod)
            ? PodAddresses.find(pod, cluster).nodeOrThrow()
            : choice.in(cluster));
  }
}

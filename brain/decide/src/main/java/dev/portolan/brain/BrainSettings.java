package dev.portolan.brain;

import dev.portolan.core.node.Balancing;
import java.util.Optional;

/**
 * What an operator says of the whole cluster.
 *
 * @param allowExternalIps whether the external IPs of services are served
 * @param keepDeletedNodes whether a node whose Node object is deleted is served on as one that is
 *     leaving, for as long as a view of it is open
 * @param serviceProxyName the proxy whose services are served: those with that value of the label
 *     {@value dev.portolan.core.cluster.Service#PROXY_NAME_LABEL}; empty for those without the
 *     label, as kube-proxy has it
 * @param balancing how connections to services are spread that do not ask for anything themselves
 */
public record BrainSettings(
    boolean allowExternalIps,
    boolean keepDeletedNodes,
    Optional<String> serviceProxyName,
    Balancing.Kind balancing) {
  /** External IPs are served; a deleted node is forgotten. */
  public static final BrainSettings DEFAULT = new BrainSettings(true, false);

  /** For the services of kube-proxy. */
  public BrainSettings(boolean allowExternalIps, boolean keepDeletedNodes) {
    this(allowExternalIps, keepDeletedNodes, Optional.empty(), Balancing.Kind.RANDOM);
  }

  /** The same, with nodes served on whose object is deleted. */
  public BrainSettings keepingDeletedNodes() {
    return new BrainSettings(allowExternalIps, true, serviceProxyName, balancing);
  }

  /** The same for the services of the proxy {@code name}. */
  public BrainSettings servingProxy(Optional<String> name) {
    return new BrainSettings(allowExternalIps, keepDeletedNodes, name, balancing);
  }

  /** The same with another balancing for services that do not ask for one. */
  public BrainSettings with(Balancing.Kind usual) {
    return new BrainSettings(allowExternalIps, keepDeletedNodes, serviceProxyName, usual);
  }
}

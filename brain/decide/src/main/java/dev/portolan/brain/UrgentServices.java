package dev.portolan.brain;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServicePort;

/**
 * The services that everything else on a node needs to start: the API server's, and DNS. Nothing is
 * decided differently for them; they are only written first where writing takes long.
 */
public final class UrgentServices {
  private static final NamespacedName API_SERVER = new NamespacedName("default", "kubernetes");
  private static final int DNS = 53;

  private UrgentServices() {}

  /** Whether {@code service} is one of them. */
  public static boolean contain(NodeService service) {
    for (ServicePort port : service.ports()) {
      if (port.clusterIp().port() == DNS) {
        return true;
      }
    }
    return service.name().equals(API_SERVER);
  }
}

package dev.portolan.client;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServicePortName;

/**
 * Notified of changes of services and endpoints; {@link ListenerBackend} calls it.
 *
 * <p>Only real differences are reported, whatever happened to the connection. Between two calls of
 * {@link #sync}, everything that is gone comes first, the endpoints of a service before the
 * service; then what is new or different, a service before its endpoints, in the order of names.
 *
 * <p>A method may throw {@link dev.portolan.core.backend.BackendException}; the changes since the
 * last {@code sync} are then reported once more, so setting what is set, and deleting what is gone,
 * must be harmless.
 */
public interface ServiceListener {
  /** The node itself is different. */
  default void setNode(NodeFacts facts) {}

  /**
   * A service is new, or anything of it but its endpoints is different: addresses, ports, routes.
   */
  void setService(NodeService service);

  /** A service is gone, and so are its endpoints by now. */
  void deleteService(NamespacedName name);

  /** An endpoint is new, or chosen for other traffic than before. */
  void setEndpoint(ServicePortName port, ChosenEndpoint endpoint);

  /** An endpoint is no longer chosen for any traffic; established connections may live on. */
  void deleteEndpoint(ServicePortName port, ChosenEndpoint endpoint);

  /** The calls so far make up a complete state. */
  void sync();
}

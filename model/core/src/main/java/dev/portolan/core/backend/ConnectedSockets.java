package dev.portolan.core.backend;

import java.util.Collection;
import java.util.List;

/** What a backend knows of the sockets that it sent to endpoints. */
public interface ConnectedSockets {
  /** All of them, and some that were closed long ago. */
  List<ConnectedSocket> all();

  /** Forgets sockets that are closed. */
  void forget(Collection<ConnectedSocket> closed);
}

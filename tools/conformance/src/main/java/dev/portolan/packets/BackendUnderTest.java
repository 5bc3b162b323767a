package dev.portolan.packets;

import dev.portolan.core.backend.Backend;

/** How the testkit gets the backend that it puts to the test. */
@FunctionalInterface
public interface BackendUnderTest {
  /**
   * Makes a backend, as a process does when it starts. It is called on a thread inside the network
   * namespace of the node, and so are the backend's own methods. It is closed when its process
   * would end.
   */
  Backend open();
}

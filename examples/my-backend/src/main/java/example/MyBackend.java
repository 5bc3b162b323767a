package example;

import dev.portolan.client.Portolan;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.node.NodeChange;

/** Prints what it would program. */
public final class MyBackend implements Backend {
  /** Follows a brain; {@code --help} lists the flags. */
  public static void main(String[] args) {
    Portolan.run(args, new MyBackend());
  }

  @Override
  public void sync(NodeChange change) {
    change.removed().forEach(service -> IO.println("delete " + service.name()));
    change.set().forEach(service -> IO.println("write " + service.name()));
  }

  @Override
  public void cleanup() {
    IO.println("delete everything");
  }
}

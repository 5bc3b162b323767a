package dev.portolan.decision.view;

import dev.portolan.api.localv1.OpItem;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.node.NodeChange;
import dev.portolan.terminal.OutputFormat;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.VersionedTree;
import java.util.function.Consumer;

/** Prints a stream item by item as it comes, a line of JSON each, and not the states it makes. */
public final class ItemPrinter implements Backend, Consumer<OpItem> {
  private final Terminal terminal;

  /** Prints to {@code terminal}. */
  public ItemPrinter(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public void accept(OpItem item) {
    terminal
        .out()
        .print(OutputFormat.JSON.writeOneOfMany(VersionedTree.of("StreamItem", ItemTree.of(item))));
    if (item.hasSync()) {
      terminal.out().flush();
    }
  }

  @Override
  public void sync(NodeChange change) {}

  @Override
  public void cleanup() {}
}

package dev.portolan.cli;

import dev.portolan.core.backend.Backend;
import dev.portolan.core.node.NodeDelta;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeTree;
import java.util.List;
import java.util.Optional;

/** A backend whose world is a screen: the first state is printed whole, then each change. */
final class RevisionPrinter implements Backend {
  private final Listing listing;
  private final Format format;
  private final Optional<String> namespace;
  private final Terminal terminal;
  private NodeImage printed = NodeImage.unsynced("");

  RevisionPrinter(Listing listing, Format format, Optional<String> namespace, Terminal terminal) {
    this.listing = listing;
    this.format = format;
    this.namespace = namespace;
    this.terminal = terminal;
  }

  @Override
  public void sync(NodeImage image, NodeDelta delta) {
    NodeDelta wanted = wanted(delta);
    boolean first = !printed.isSynced();
    if (first && !format.isTree()) {
      terminal.print(listing.lines(Excerpt.of(image, namespace), format == Format.WIDE, terminal));
    } else if (first || !wanted.isEmpty()) {
      if (format.isTree()) {
        terminal.out().print(format.writeOneOfMany(NodeTree.of(wanted)));
      } else {
        terminal.print(DeltaText.lines(printed, wanted, terminal));
      }
    }
    printed = image;
    terminal.out().flush();
  }

  /** What was printed stays. */
  @Override
  public void cleanup() {}

  private NodeDelta wanted(NodeDelta delta) {
    return listing == Listing.NODE
        ? new NodeDelta(
            delta.fromRevision(),
            delta.toRevision(),
            delta.facts(),
            List.of(),
            List.of(),
            List.of())
        : Excerpt.of(delta, namespace);
  }
}

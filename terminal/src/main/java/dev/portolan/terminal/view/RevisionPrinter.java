package dev.portolan.terminal.view;

import dev.portolan.core.backend.Backend;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeTree;
import dev.portolan.core.node.ServiceChange;
import dev.portolan.terminal.OutputFormat;
import dev.portolan.terminal.Terminal;
import java.util.List;
import java.util.Optional;

/** A backend whose world is a screen: the first state is printed whole, then each change. */
public final class RevisionPrinter implements Backend {
  private final NodeListing listing;
  private final OutputFormat format;
  private final Optional<String> namespace;
  private final Terminal terminal;

  /** Prints {@code listing} in {@code format}, of one namespace where one is given. */
  public RevisionPrinter(
      NodeListing listing, OutputFormat format, Optional<String> namespace, Terminal terminal) {
    this.listing = listing;
    this.format = format;
    this.namespace = namespace;
    this.terminal = terminal;
  }

  @Override
  public void sync(NodeChange change) {
    List<ServiceChange> wanted =
        listing == NodeListing.NODE ? List.of() : Excerpt.of(change, namespace);
    boolean first = !change.before().isSynced();
    if (first && !format.isTree()) {
      Excerpt excerpt = Excerpt.of(change.after(), namespace);
      terminal.print(listing.lines(excerpt, format == OutputFormat.WIDE, terminal));
    } else if (first || !wanted.isEmpty() || change.factsChanged()) {
      if (format.isTree()) {
        terminal.out().print(format.writeOneOfMany(NodeTree.of(change, wanted)));
      } else {
        terminal.print(DeltaText.lines(change, wanted, terminal));
      }
    }
    terminal.out().flush();
  }

  /** What was printed stays. */
  @Override
  public void cleanup() {}
}

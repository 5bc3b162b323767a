package dev.portolan.terminal.view;

import dev.portolan.core.backend.Backend;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.ServiceChange;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.query.Output;
import dev.portolan.terminal.query.ResultTree;
import java.util.List;
import java.util.Objects;

/** A backend whose world is a screen: the first state is printed whole, then each change. */
public final class RevisionPrinter implements Backend {
  private final NodeListing listing;
  private final Output output;
  private final ListingStyle style;
  private final ServiceFilter filter;
  private final Terminal terminal;

  /** Prints what {@code filter} lets through of {@code listing}. */
  public RevisionPrinter(
      NodeListing listing,
      Output output,
      ListingStyle style,
      ServiceFilter filter,
      Terminal terminal) {
    this.listing = listing;
    this.output = output;
    this.style = style;
    this.filter = filter;
    this.terminal = terminal;
  }

  @Override
  public void sync(NodeChange change) {
    List<ServiceChange> wanted =
        listing == NodeListing.NODE ? List.of() : Excerpt.of(change, filter);
    boolean first = !change.before().isSynced();
    if (first && !output.isTree()) {
      terminal.print(listing.lines(Excerpt.of(change.after(), filter), style, terminal));
    } else if (first || !wanted.isEmpty() || change.factsChanged()) {
      if (output.isTree()) {
        output.printOneOfMany(result(change, wanted), style.titles() && first, terminal);
      } else {
        terminal.print(DeltaText.lines(change, wanted, terminal));
      }
    }
    terminal.out().flush();
  }

  private static ResultTree result(NodeChange change, List<ServiceChange> wanted) {
    ResultTree whole =
        ResultTree.of(
            "NodeChange", "node/" + change.after().facts().name(), ChangeTree.of(change, wanted));
    return new ResultTree(
        whole.tree(),
        wanted.stream()
            .map(service ->
                ResultTree.Item.of(
                    "service/" + service.name(),
                    Objects.requireNonNullElse(service.after(), service.name())))
            .toList());
  }

  /** What was printed stays. */
  @Override
  public void cleanup() {}
}

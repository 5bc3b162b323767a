package dev.portolan.terminal.view;

import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a person wants listed, as for kubectl: {@code services}, {@code svc web shop/cart} or {@code
 * svc/web ep/cart}.
 *
 * @param names as a {@link ServiceFilter} takes them
 */
public record ListingRequest(NodeListing listing, List<String> names) {
  /** Reads the words of a command line. */
  public static ListingRequest parse(List<String> words) {
    if (words.isEmpty()) {
      return new ListingRequest(NodeListing.SERVICES, List.of());
    }
    Optional<NodeListing> first = NodeListing.of(words.getFirst());
    ListingRequest request =
        first.isPresent()
            ? new ListingRequest(first.get(), words.subList(1, words.size()))
            : typed(words);
    if (request.listing == NodeListing.NODE && !request.names.isEmpty()) {
      throw CommandFailure.usage(
          "'"
              + Text.printable(request.names.getFirst())
              + "': unexpected argument; choose the node with --node");
    }
    return request;
  }

  /** Reads words that each have a type and a name. */
  private static ListingRequest typed(List<String> words) {
    NodeListing listing = null;
    List<String> names = new ArrayList<>();
    for (String word : words) {
      int slash = word.indexOf('/');
      NodeListing type =
          Optional.of(word.substring(0, Math.max(0, slash)))
              .flatMap(NodeListing::of)
              .filter(known -> slash < word.length() - 1)
              .orElseThrow(() -> unknown(word));
      if (listing != null && listing != type) {
        throw CommandFailure.usage(
            "'" + Text.printable(word) + "': list one type at a time, " + listing + " or " + type);
      }
      listing = type;
      names.add(word.substring(slash + 1));
    }
    return new ListingRequest(listing == null ? NodeListing.SERVICES : listing, names);
  }

  private static CommandFailure unknown(String word) {
    return CommandFailure.usage(
        "what to list: '"
            + Text.printable(word)
            + "' is not allowed; write services (svc), endpoints (ep) or node (no), and names as in"
            + " svc/web or services shop/web");
  }
}

package dev.portolan.nftables;

import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.Errno;
import dev.portolan.netlink.MessageReader.Message;
import dev.portolan.netlink.MessageWriter;
import dev.portolan.netlink.NetlinkConnection;
import dev.portolan.netlink.NetlinkException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the elements of one set or map, all of one generation. The kernel does not mark a reading
 * that a change has torn, so the generations before and after it are compared.
 */
final class ElementReader {
  private static final int HEADER = 4;
  private static final int TRIES = 10;

  /** How many keys a request may have: the answers must fit into the receive buffer. */
  private static final int MOST_KEYS = 1_000;

  private static final int FEWEST_KEYS = 8;

  private final NetlinkConnection kernel;
  private final IntSupplier generation;
  private final AddressFamily family;
  private final String table;
  private final String set;

  ElementReader(
      NetlinkConnection kernel,
      IntSupplier generation,
      AddressFamily family,
      String table,
      String set) {
    this.kernel = kernel;
    this.generation = generation;
    this.family = family;
    this.table = table;
    this.set = set;
  }

  /** All elements. For each part of a dump the kernel walks from the beginning of the set. */
  List<Element> all() {
    List<Element> found = new ArrayList<>();
    untorn(() -> {
      found.clear();
      return ask(MessageWriter.DUMP, writer -> {}, found::add);
    });
    return found;
  }

  /** Those with the keys of {@code wanted}, each in its place; null where there is none. */
  List<@Nullable Element> withKeys(List<Element> wanted) {
    List<@Nullable Element> found = new ArrayList<>(wanted.size());
    untorn(() -> {
      found.clear();
      int keys = MOST_KEYS;
      while (found.size() < wanted.size()) {
        List<Element> next =
            wanted.subList(found.size(), Math.min(wanted.size(), found.size() + keys));
        try {
          if (!ask(MessageWriter.ACK, writer -> writeKeys(writer, next), found::add)) {
            return false;
          }
          keys = Math.min(MOST_KEYS, keys * 2);
        } catch (NetlinkException e) {
          if (e.errno() != Errno.ENOENT) {
            throw e;
          }
          // The kernel answers up to the first that it does not have.
          found.add(null);
          keys = FEWEST_KEYS;
        }
      }
      return true;
    });
    return found;
  }

  /** Reads with {@code attempt}, which returns false where it has to be repeated. */
  private void untorn(BooleanSupplier attempt) {
    for (int i = 0; i < TRIES; i++) {
      int before = generation.getAsInt();
      if (attempt.getAsBoolean() && generation.getAsInt() == before) {
        return;
      }
    }
    throw new NetlinkException(
        "the elements of " + set + " changed each time they were read, " + TRIES + " times");
  }

  private boolean ask(int flags, Consumer<MessageWriter> keys, Consumer<Element> each) {
    return kernel.ask(
        "read the elements of " + set + " in table " + table,
        NftConstants.SUBSYSTEM | NftConstants.GET_ELEMENT,
        flags,
        writer -> {
          writer.raw(family.number(), 0, 0, 0);
          writer.text(NftConstants.ELEMENTS_TABLE, table).text(NftConstants.ELEMENTS_SET, set);
          keys.accept(writer);
        },
        message -> decode(message, each));
  }

  /** Hands over the elements in {@code message}. */
  static void decode(Message message, Consumer<Element> each) {
    if (message.body().remaining() < HEADER) {
      throw new NetlinkException("the kernel sent a message that is too short");
    }
    ElementDecoder.decode(message.body().slice(HEADER, message.body().remaining() - HEADER), each);
  }

  private static void writeKeys(MessageWriter writer, List<Element> elements) {
    writer.nest(
        NftConstants.ELEMENTS_LIST,
        () -> {
          for (Element element : elements) {
            writer.nest(
                NftConstants.LIST_ELEMENT,
                () ->
                    writer.nest(
                        NftConstants.ELEMENT_KEY,
                        () -> writer.bytes(NftConstants.DATA_VALUE, element.key())));
          }
        });
  }
}

package dev.portolan.walk.nft.table;

import dev.portolan.netlink.Attributes;
import dev.portolan.netlink.Errno;
import dev.portolan.netlink.MessageReader.Message;
import dev.portolan.netlink.MessageWriter;
import dev.portolan.netlink.NetlinkConnection;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.netlink.NetlinkSocket;
import dev.portolan.nftables.BaseChain;
import dev.portolan.nftables.ElementDecoder;
import dev.portolan.nftables.NftConstants;
import dev.portolan.nftables.Nftables;
import dev.portolan.nftables.TableName;
import dev.portolan.nftables.UserData;
import dev.portolan.walk.nft.table.NftDump.Chain;
import dev.portolan.walk.nft.table.NftDump.ElementSet;
import dev.portolan.walk.nft.table.NftDump.Entry;
import dev.portolan.walk.nft.table.NftDump.Table;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Reads all of nf_tables, again from the start where a transaction came in between. One dump gets
 * the chains of all tables, one the rules, one the sets; only elements need a dump per set.
 */
final class NftDumpReader implements AutoCloseable {
  private static final int TRIES = 10;
  private static final int HEADER = 4;
  private static final int TABLE_HANDLE = 4;
  private static final int CHAIN_HANDLE = 2;
  private static final int INTERVAL_END = 1;
  private static final int CATCH_ALL = 2;
  private static final Set<Integer> FAMILIES = Set.of(1, 2, 10);

  private final NetlinkConnection kernel;

  /** What was read of one table so far. */
  private record Parts(
      Attributes table, List<Chain> chains, List<Nftables.RuleInfo> rules, List<Attributes> sets) {}

  /** Thrown where what is read vanished meanwhile. */
  private static final class TornException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  NftDumpReader(Optional<Path> namespace) {
    kernel = new NetlinkConnection(NetlinkSocket.NETFILTER, namespace);
  }

  NftDump read() {
    for (int i = 0; i < TRIES; i++) {
      int before = generation();
      try {
        NftDump dump = new NftDump(before, tables());
        if (generation() == before) {
          return dump;
        }
      } catch (TornException e) {
        // A table or set is gone: the next try will not find it.
      }
    }
    throw new NetlinkException(
        "cannot read the rules of nftables: another program changed them each time, "
            + TRIES
            + " times");
  }

  @Override
  public void close() {
    kernel.close();
  }

  private int generation() {
    int[] found = {0};
    boolean _ =
        kernel.ask(
            "read the generation of the rules",
            NftConstants.SUBSYSTEM | NftConstants.GET_GENERATION,
            MessageWriter.ACK,
            writer -> writer.raw(0, 0, 0, 0),
            message -> found[0] = message.attributes(HEADER).u32(NftConstants.GENERATION_ID));
    return found[0];
  }

  private List<Table> tables() {
    Map<TableName, Parts> found = new LinkedHashMap<>();
    all(
        "the tables",
        NftConstants.GET_TABLE,
        (message, attributes) -> {
          TableName name = name(message, attributes);
          if (FAMILIES.contains(name.family())) {
            found.put(
                name,
                new Parts(attributes, new ArrayList<>(), new ArrayList<>(), new ArrayList<>()));
          }
        });
    each(
        found,
        "the chains",
        NftConstants.GET_CHAIN,
        (parts, message) -> parts.chains.add(chain(message)));
    each(
        found,
        "the rules",
        NftConstants.GET_RULE,
        (parts, message) -> parts.rules.add(Nftables.rule(message.attributes(HEADER))));
    each(
        found,
        "the sets",
        NftConstants.GET_SET,
        (parts, message) -> parts.sets.add(message.attributes(HEADER)));
    List<Table> tables = new ArrayList<>();
    found.forEach((name, parts) -> tables.add(table(name, parts)));
    return tables;
  }

  private Table table(TableName name, Parts parts) {
    return new Table(
        name,
        parts.table.u64(TABLE_HANDLE),
        (parts.table.u32(NftConstants.TABLE_FLAGS) & NftConstants.TABLE_DORMANT) != 0,
        UserData.decodeComment(parts.table.bytes(NftConstants.TABLE_USERDATA)),
        parts.chains,
        parts.rules,
        parts.sets.stream().map(set -> set(name, set)).toList());
  }

  private static Chain chain(Message message) {
    Attributes attributes = message.attributes(HEADER);
    return new Chain(
        attributes.text(NftConstants.CHAIN_NAME).orElse(""),
        attributes.u64(CHAIN_HANDLE),
        BaseChain.read(message),
        UserData.decodeComment(attributes.bytes(NftConstants.CHAIN_USERDATA)));
  }

  private ElementSet set(TableName table, Attributes attributes) {
    Nftables.SetInfo info = Nftables.set(attributes);
    List<Integer> fields =
        attributes
            .nested(NftConstants.SET_DESCRIPTION)
            .nested(NftConstants.DESCRIPTION_CONCAT)
            .all()
            .stream()
            .map(field -> field.nested().u32(NftConstants.FIELD_LENGTH))
            .toList();
    return new ElementSet(
        info.name(), info.flags(), info.keyLength(), fields, entries(table, info.name()));
  }

  private List<Entry> entries(TableName table, String set) {
    List<Entry> entries = new ArrayList<>();
    dump(
        "the elements of " + set + " in table " + table,
        NftConstants.GET_ELEMENT,
        writer ->
            writer
                .raw(table.family(), 0, 0, 0)
                .text(NftConstants.ELEMENTS_TABLE, table.name())
                .text(NftConstants.ELEMENTS_SET, set),
        (message, attributes) ->
            attributes
                .nested(NftConstants.ELEMENTS_LIST)
                .all()
                .forEach(element -> entries.add(entry(element))));
    return entries;
  }

  private static Entry entry(Attributes.Attribute element) {
    int flags = element.nested().u32(NftConstants.ELEMENT_FLAGS);
    return new Entry(
        ElementDecoder.element(element.value()),
        (flags & INTERVAL_END) != 0,
        (flags & CATCH_ALL) != 0);
  }

  private void each(
      Map<TableName, Parts> tables, String what, int type, BiConsumer<Parts, Message> take) {
    all(
        what,
        type,
        (message, attributes) -> {
          Parts parts = tables.get(name(message, attributes));
          if (parts != null) {
            take.accept(parts, message);
          }
        });
  }

  private static TableName name(Message message, Attributes attributes) {
    return new TableName(
        Byte.toUnsignedInt(message.body().get(message.body().position())),
        attributes.text(NftConstants.TABLE).orElse(""));
  }

  /** Reads one kind of object of all tables of all families. */
  private void all(String what, int type, BiConsumer<Message, Attributes> take) {
    dump(what, type, writer -> writer.raw(0, 0, 0, 0), take);
  }

  private void dump(
      String what,
      int type,
      Consumer<MessageWriter> content,
      BiConsumer<Message, Attributes> take) {
    try {
      boolean whole =
          kernel.ask(
              "read " + what,
              NftConstants.SUBSYSTEM | type,
              MessageWriter.DUMP,
              content,
              message -> take.accept(message, message.attributes(HEADER)));
      if (!whole) {
        throw new TornException();
      }
    } catch (NetlinkException e) {
      if (e.errno() == Errno.ENOENT) {
        throw new TornException();
      }
      throw e;
    }
  }
}

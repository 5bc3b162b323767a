package dev.portolan.nftables;

import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.Attributes;
import dev.portolan.netlink.Errno;
import dev.portolan.netlink.MessageReader.Message;
import dev.portolan.netlink.MessageWriter;
import dev.portolan.netlink.NetlinkConnection;
import dev.portolan.netlink.NetlinkConnection.Answer;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.netlink.NetlinkSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/** A connection to the kernel's nf_tables: commits transactions and reads back what is there. */
public final class Nftables implements AutoCloseable {
  private static final int HEADER = 4;

  private final NetlinkConnection kernel;

  /**
   * A table as the kernel has it.
   *
   * @param dormant whether it is switched off
   */
  public record TableInfo(AddressFamily family, String name, String comment, boolean dormant) {
    /** As nft writes it: {@code table ip portolan}. */
    @Override
    public String toString() {
      return "table " + family.word() + " " + name;
    }
  }

  /**
   * A chain as the kernel has it; the hook is empty also if {@link Hook} does not know it.
   *
   * @param drops whether its policy is to drop packets
   */
  public record ChainInfo(
      String table, String name, Optional<Hook> hook, String comment, boolean drops) {}

  /** A rule as the kernel has it. */
  public record RuleInfo(String chain, long handle, Attributes expressions, String comment) {
    private static final String BYTEORDER = "byteorder";
    private static final int BYTEORDER_LENGTH = 4;

    /**
     * Whether it does what {@code wanted} does. Some versions of nft turn a single byte around
     * before they look for it among ranges, which changes nothing.
     */
    public boolean does(Expressions wanted) {
      return expressions
          .only(expression -> !turnsOneByte(expression.nested()))
          .covers(wanted.toAttributes());
    }

    private static boolean turnsOneByte(Attributes expression) {
      return expression.text(NftConstants.EXPRESSION_NAME).filter(BYTEORDER::equals).isPresent()
          && expression.nested(NftConstants.EXPRESSION_DATA).u32(BYTEORDER_LENGTH) == 1;
    }
  }

  /**
   * A set or map as the kernel has it.
   *
   * @param count how many elements it has; older kernels do not say
   */
  public record SetInfo(
      String table,
      String name,
      int flags,
      int keyType,
      int keyLength,
      int dataType,
      long timeoutMillis,
      OptionalInt count) {
    /** Whether it can serve as {@code wanted}. */
    public boolean fits(SetSpec wanted) {
      return keyType == wanted.keyType()
          && keyLength == wanted.keyLength()
          && dataType == (wanted.kind() == SetSpec.Kind.SET ? 0 : wanted.dataType())
          && (flags & 0x7f) == (wanted.flags() & 0x7f)
          && timeoutMillis == wanted.timeoutMillis();
    }
  }

  /**
   * Connects in this process's network namespace, or in the one that {@code namespace} stands for.
   */
  public Nftables(Optional<Path> namespace) {
    kernel = new NetlinkConnection(NetlinkSocket.NETFILTER, namespace);
  }

  /** The number that notifications of this connection's transactions carry. */
  public int port() {
    return kernel.port();
  }

  /** Commits a transaction; on an exception the kernel has kept what it had. */
  public void commit(Batch batch) {
    commit(batch, 0);
  }

  /**
   * Commits a transaction if the rules are still those of {@code generation}; 0 commits in any
   * case.
   */
  public void commit(Batch batch, int generation) {
    if (batch.isEmpty()) {
      return;
    }
    Answer answer = kernel.order("commit the transaction", batch.toMessages(generation));
    for (Message error : answer.errors()) {
      throw new NetlinkException(
          "cannot " + batch.operation(error.sequence()), error.errno(), error.errorText());
    }
    if (answer.lost()) {
      throw new NetlinkException(
          "it is not known whether the transaction was committed", Errno.ENOBUFS, "");
    }
  }

  /** The number of the present rule set; it changes with each transaction of any process. */
  public int generation() {
    int[] found = {0};
    kernel.ask(
        "read the generation of the rules",
        NftConstants.SUBSYSTEM | NftConstants.GET_GENERATION,
        MessageWriter.ACK,
        writer -> writer.raw(0, 0, 0, 0),
        message -> found[0] = message.attributes(HEADER).u32(NftConstants.GENERATION_ID));
    return found[0];
  }

  /** The names of all tables of a family. */
  public List<String> tables(AddressFamily family) {
    return tableInfos(family).stream().map(TableInfo::name).toList();
  }

  /** All tables of a family. */
  public List<TableInfo> tableInfos(AddressFamily family) {
    return dump(
        "the tables",
        NftConstants.GET_TABLE,
        family,
        writer -> {},
        attributes ->
            new TableInfo(
                family,
                attributes.text(NftConstants.TABLE_NAME).orElse(""),
                UserData.decodeComment(attributes.bytes(NftConstants.TABLE_USERDATA)),
                (attributes.u32(NftConstants.TABLE_FLAGS) & NftConstants.TABLE_DORMANT) != 0));
  }

  /** The chains of a table. */
  public List<ChainInfo> chains(AddressFamily family, String table) {
    return dump(
            "the chains of table " + table,
            NftConstants.GET_CHAIN,
            family,
            writer -> writer.text(NftConstants.CHAIN_TABLE, table),
            Nftables::chain)
        .stream()
        .filter(chain -> chain.table.equals(table))
        .toList();
  }

  /** The base chains of every table of every family. */
  public List<BaseChain> baseChains() {
    return kernel
        .dump(
            "read the chains of all tables",
            NftConstants.SUBSYSTEM | NftConstants.GET_CHAIN,
            writer -> writer.raw(0, 0, 0, 0),
            BaseChain::read)
        .stream()
        .flatMap(Optional::stream)
        .toList();
  }

  /** What {@code read} makes of each rule of a table, chain by chain, in their order. */
  public <T> List<T> rules(TableName table, Function<RuleInfo, T> read) {
    return dump(
        "the rules of table " + table,
        NftConstants.GET_RULE,
        table.family(),
        writer -> writer.text(NftConstants.RULE_TABLE, table.name()),
        attributes -> read.apply(rule(attributes)));
  }

  /** The rules of a table, chain by chain, in their order. */
  public List<RuleInfo> rules(AddressFamily family, String table) {
    return rules(TableName.of(family, table), rule -> rule);
  }

  /** The rules of one chain of a table, in their order. */
  public List<RuleInfo> rules(AddressFamily family, String table, String chain) {
    return dump(
            "the rules of chain " + chain + " in table " + table,
            NftConstants.GET_RULE,
            family,
            writer ->
                writer.text(NftConstants.RULE_TABLE, table).text(NftConstants.RULE_CHAIN, chain),
            Nftables::rule)
        .stream()
        .filter(rule -> rule.chain.equals(chain))
        .toList();
  }

  /** How many packets the counters in the rules of a chain have seen; nothing without a counter. */
  public OptionalLong packets(AddressFamily family, String table, String chain) {
    return rules(family, table, chain).stream()
        .flatMap(rule -> rule.expressions.all().stream())
        .map(Attributes.Attribute::nested)
        .filter(Nftables::isCounter)
        .mapToLong(Nftables::packets)
        .reduce(Long::sum);
  }

  /**
   * How many packets found each element of a set or map that counts them. If it changes meanwhile,
   * an element may be missing, or come twice.
   */
  public void packets(
      AddressFamily family, String table, String set, ObjLongConsumer<Element> each) {
    List<Attributes> lists =
        dump(
            "the counts of " + set + " in table " + table,
            NftConstants.GET_ELEMENT,
            family,
            inSet(table, set),
            attributes -> attributes.nested(NftConstants.ELEMENTS_LIST));
    for (Attributes list : lists) {
      for (Attributes.Attribute element : list.all()) {
        Attributes counter = element.nested().nested(NftConstants.ELEMENT_EXPRESSION);
        if (isCounter(counter)) {
          each.accept(ElementDecoder.element(element.value()), packets(counter));
        }
      }
    }
  }

  private static boolean isCounter(Attributes expression) {
    return expression.text(NftConstants.EXPRESSION_NAME).orElse("").equals(NftConstants.COUNTER);
  }

  private static long packets(Attributes counter) {
    return counter.nested(NftConstants.EXPRESSION_DATA).u64(NftConstants.COUNTER_PACKETS);
  }

  /** The sets and maps of a table. */
  public List<SetInfo> sets(AddressFamily family, String table) {
    return dump(
        "the sets of table " + table,
        NftConstants.GET_SET,
        family,
        writer -> writer.text(NftConstants.SET_TABLE, table),
        Nftables::set);
  }

  /** The elements of a set or map, all of one generation; none where there is no such set. */
  public List<Element> elements(AddressFamily family, String table, String set) {
    try {
      return reader(family, table, set).all();
    } catch (NetlinkException e) {
      if (e.errno() == Errno.ENOENT) {
        return List.of();
      }
      throw e;
    }
  }

  /**
   * Those elements of a set or map that have the keys of {@code wanted}, each in its place, or null
   * where the kernel has none with that key; all of one generation. Unlike reading all, this takes
   * as long for each in a large set as in a small one.
   */
  public List<@Nullable Element> elements(
      AddressFamily family, String table, String set, List<Element> wanted) {
    return reader(family, table, set).withKeys(wanted);
  }

  private ElementReader reader(AddressFamily family, String table, String set) {
    return new ElementReader(kernel, this::generation, family, table, set);
  }

  private static Consumer<MessageWriter> inSet(String table, String set) {
    return writer ->
        writer.text(NftConstants.ELEMENTS_TABLE, table).text(NftConstants.ELEMENTS_SET, set);
  }

  @Override
  public void close() {
    kernel.close();
  }

  static ChainInfo chain(Attributes attributes) {
    return new ChainInfo(
        attributes.text(NftConstants.CHAIN_TABLE).orElse(""),
        attributes.text(NftConstants.CHAIN_NAME).orElse(""),
        attributes
            .first(NftConstants.CHAIN_HOOK)
            .flatMap(hook ->
                Hook.read(attributes.text(NftConstants.CHAIN_TYPE).orElse(""), hook.nested())),
        UserData.decodeComment(attributes.bytes(NftConstants.CHAIN_USERDATA)),
        BaseChain.drops(attributes));
  }

  /** The rule in the attributes of a message. */
  public static RuleInfo rule(Attributes attributes) {
    Attributes expressions = attributes.nested(NftConstants.RULE_EXPRESSIONS);
    String comment = UserData.decodeComment(attributes.bytes(NftConstants.RULE_USERDATA));
    return new RuleInfo(
        attributes.text(NftConstants.RULE_CHAIN).orElse(""),
        attributes.u64(NftConstants.RULE_HANDLE),
        expressions,
        comment.isEmpty() ? matchedComment(expressions) : comment);
  }

  /** The comment of a rule that iptables-nft wrote, which may be an expression of its own. */
  private static String matchedComment(Attributes expressions) {
    return expressions.all().stream()
        .map(Attributes.Attribute::nested)
        .filter(each -> each.text(NftConstants.EXPRESSION_NAME).orElse("").equals("match"))
        .map(each -> each.nested(NftConstants.EXPRESSION_DATA))
        .filter(match -> match.text(NftConstants.MATCH_NAME).orElse("").equals("comment"))
        .map(match -> new String(match.bytes(NftConstants.MATCH_INFO), StandardCharsets.UTF_8))
        .map(text -> text.indexOf('\0') < 0 ? text : text.substring(0, text.indexOf('\0')))
        .findFirst()
        .orElse("");
  }

  /** The set or map in the attributes of a message. */
  public static SetInfo set(Attributes attributes) {
    return new SetInfo(
        attributes.text(NftConstants.SET_TABLE).orElse(""),
        attributes.text(NftConstants.SET_NAME).orElse(""),
        attributes.u32(NftConstants.SET_FLAGS),
        attributes.u32(NftConstants.SET_KEY_TYPE),
        attributes.u32(NftConstants.SET_KEY_LENGTH),
        attributes.u32(NftConstants.SET_DATA_TYPE),
        attributes.u64(NftConstants.SET_TIMEOUT),
        attributes.first(NftConstants.SET_COUNT).isPresent()
            ? OptionalInt.of(attributes.u32(NftConstants.SET_COUNT))
            : OptionalInt.empty());
  }

  private <T> List<T> dump(
      String what,
      int type,
      AddressFamily family,
      Consumer<MessageWriter> filter,
      Function<Attributes, T> read) {
    return dump(what, type, family.number(), filter, read);
  }

  private <T> List<T> dump(
      String what,
      int type,
      int family,
      Consumer<MessageWriter> filter,
      Function<Attributes, T> read) {
    try {
      return kernel.dump(
          "read " + what,
          NftConstants.SUBSYSTEM | type,
          writer -> filter.accept(writer.raw(family, 0, 0, 0)),
          message -> read.apply(message.attributes(HEADER)));
    } catch (NetlinkException e) {
      if (e.errno() == Errno.ENOENT) {
        return List.of();
      }
      throw e;
    }
  }
}

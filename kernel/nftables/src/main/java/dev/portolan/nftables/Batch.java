package dev.portolan.nftables;

import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.MessageWriter;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A transaction on one table: all of it happens, or nothing. Operations are applied in the order in
 * which they were added.
 */
public final class Batch {
  /** Below the 64 KB that a nested attribute can hold, with room for one more element. */
  private static final int FULL_LIST = 48 << 10;

  private static final int LARGE = 64 << 10;

  /** Where the first message has the generation: after two headers, and that of the attribute. */
  private static final int GENERATION_AT = 24;

  private final MessageWriter writer = new MessageWriter();
  private AddressFamily family = AddressFamily.IPV4;
  private final String table;
  private final List<String> operations = new ArrayList<>();
  private int lastMessage;
  private int length;

  /** An empty transaction on the tables of that name. */
  public Batch(String table) {
    this.table = table;
    writer.begin(NftConstants.BATCH_BEGIN, MessageWriter.REQUEST, 0).raw(0, 0, 0, 10);
    writer.u32(1, 0).end();
  }

  /** What is added from here on concerns the table of this family; until then, that of IPv4. */
  public Batch family(AddressFamily table) {
    family = table;
    return this;
  }

  /** Makes the table, unless it is there. */
  public Batch addTable(String comment) {
    begin(NftConstants.NEW_TABLE, MessageWriter.CREATE, "add table " + table);
    writer.text(NftConstants.TABLE_NAME, table);
    userdata(NftConstants.TABLE_USERDATA, UserData.encodeComment(comment));
    return end();
  }

  /**
   * Makes a table that only the connection which commits this may change, and that vanishes with
   * that connection, however it ends.
   */
  public Batch addOwnedTable(String comment) {
    begin(
        NftConstants.NEW_TABLE,
        MessageWriter.CREATE | MessageWriter.EXCLUSIVE,
        "add table " + table);
    writer.text(NftConstants.TABLE_NAME, table);
    writer.u32(NftConstants.TABLE_FLAGS, NftConstants.TABLE_OWNED);
    userdata(NftConstants.TABLE_USERDATA, UserData.encodeComment(comment));
    return end();
  }

  /** Removes the table with all that is in it. */
  public Batch deleteTable() {
    begin(NftConstants.DELETE_TABLE, 0, "delete table " + table);
    writer.text(NftConstants.TABLE_NAME, table);
    return end();
  }

  /** Makes a chain, unless it is there. */
  public Batch addChain(String name, Optional<Hook> hook, String comment) {
    begin(NftConstants.NEW_CHAIN, MessageWriter.CREATE, "add chain " + name);
    writer.text(NftConstants.CHAIN_TABLE, table).text(NftConstants.CHAIN_NAME, name);
    hook.ifPresent(place -> {
      writer.nest(
          NftConstants.CHAIN_HOOK,
          () ->
              writer
                  .u32(NftConstants.HOOK_NUMBER, place.point().number())
                  .u32(NftConstants.HOOK_PRIORITY, place.priority()));
      writer.u32(NftConstants.CHAIN_POLICY, 1);
      writer.text(NftConstants.CHAIN_TYPE, place.type().name().toLowerCase(Locale.ROOT));
    });
    userdata(NftConstants.CHAIN_USERDATA, UserData.encodeComment(comment));
    return end();
  }

  /** Removes a chain that nothing refers to any more. */
  public Batch deleteChain(String name) {
    begin(NftConstants.DELETE_CHAIN, 0, "delete chain " + name);
    writer.text(NftConstants.CHAIN_TABLE, table).text(NftConstants.CHAIN_NAME, name);
    return end();
  }

  /** Removes the rules of a chain. */
  public Batch flushChain(String name) {
    begin(NftConstants.DELETE_RULE, 0, "flush chain " + name);
    writer.text(NftConstants.RULE_TABLE, table).text(NftConstants.RULE_CHAIN, name);
    return end();
  }

  /** Adds a rule at the end of a chain. */
  public Batch addRule(String chain, Expressions expressions, String comment) {
    begin(
        NftConstants.NEW_RULE,
        MessageWriter.CREATE | MessageWriter.APPEND,
        "add a rule to chain " + chain);
    writer.text(NftConstants.RULE_TABLE, table).text(NftConstants.RULE_CHAIN, chain);
    writer.nest(NftConstants.RULE_EXPRESSIONS, () -> writer.rawBytes(expressions.toBytes()));
    userdata(NftConstants.RULE_USERDATA, UserData.encodeComment(comment));
    return end();
  }

  /** Removes one rule, by the number that the kernel gave it. */
  public Batch deleteRule(String chain, long handle) {
    begin(NftConstants.DELETE_RULE, 0, "delete rule " + handle + " of chain " + chain);
    writer.text(NftConstants.RULE_TABLE, table).text(NftConstants.RULE_CHAIN, chain);
    writer.u64(NftConstants.RULE_HANDLE, handle);
    return end();
  }

  /** Makes a set or map, unless it is there. */
  public Batch addSet(SetSpec set) {
    begin(NftConstants.NEW_SET, MessageWriter.CREATE, "add " + noun(set) + " " + set.name());
    writer.text(NftConstants.SET_TABLE, table).text(NftConstants.SET_NAME, set.name());
    writer.u32(NftConstants.SET_FLAGS, set.flags());
    writer.u32(NftConstants.SET_KEY_TYPE, set.keyType());
    writer.u32(NftConstants.SET_KEY_LENGTH, set.keyLength());
    if (set.kind() != SetSpec.Kind.SET) {
      writer.u32(NftConstants.SET_DATA_TYPE, set.dataType());
      writer.u32(NftConstants.SET_DATA_LENGTH, set.dataLength());
    }
    if (set.timeoutMillis() > 0) {
      writer.u64(NftConstants.SET_TIMEOUT, set.timeoutMillis());
    }
    writer.u32(NftConstants.SET_ID, operations.size());
    writer.nest(NftConstants.SET_DESCRIPTION, () -> describe(set));
    userdata(NftConstants.SET_USERDATA, set.userdata().toBytes());
    if (set.counts()) {
      writer.nest(
          NftConstants.SET_EXPRESSION,
          () -> writer.text(NftConstants.EXPRESSION_NAME, NftConstants.COUNTER));
    }
    return end();
  }

  private void describe(SetSpec set) {
    if (set.size() > 0) {
      writer.u32(NftConstants.DESCRIPTION_SIZE, set.size());
    }
    if (set.ranges() && set.keyFields().size() > 1) {
      writer.nest(
          NftConstants.DESCRIPTION_CONCAT,
          () -> {
            for (int length : set.keyFields()) {
              writer.nest(
                  NftConstants.LIST_ELEMENT, () -> writer.u32(NftConstants.FIELD_LENGTH, length));
            }
          });
    }
  }

  /** Removes a set or map that nothing refers to any more. */
  public Batch deleteSet(String name) {
    begin(NftConstants.DELETE_SET, 0, "delete set " + name);
    writer.text(NftConstants.SET_TABLE, table).text(NftConstants.SET_NAME, name);
    return end();
  }

  /** Adds elements to a set or map. */
  public Batch addElements(String set, Iterable<Element> elements) {
    return elements(NftConstants.NEW_ELEMENT, MessageWriter.CREATE, "add", set, elements);
  }

  /** Removes elements, by their keys, from a set or map. */
  public Batch deleteElements(String set, Iterable<Element> elements) {
    return elements(NftConstants.DELETE_ELEMENT, 0, "delete", set, elements);
  }

  /** Removes all elements of a set or map. */
  public Batch flushSet(String set) {
    begin(NftConstants.DELETE_ELEMENT, 0, "flush set " + set);
    writer.text(NftConstants.ELEMENTS_TABLE, table).text(NftConstants.ELEMENTS_SET, set);
    return end();
  }

  /** Whether nothing was added. */
  public boolean isEmpty() {
    return operations.isEmpty();
  }

  /** Whether it has more than about a thousand elements. */
  public boolean isLarge() {
    return length > LARGE;
  }

  /** How many operations there are; elements count in lists. */
  public int size() {
    return operations.size();
  }

  /** What the message with this sequence number was to do. */
  String operation(int sequence) {
    return sequence >= 1 && sequence <= operations.size()
        ? operations.get(sequence - 1)
        : "commit the transaction";
  }

  /** The whole batch, from its beginning to its end, with one acknowledgement asked for. */
  MessageWriter toMessages(int generation) {
    writer.cut(length);
    writer.setU32(GENERATION_AT, generation);
    writer.addFlags(lastMessage, MessageWriter.ACK);
    return writer
        .begin(NftConstants.BATCH_END, MessageWriter.REQUEST, operations.size() + 1)
        .raw(0, 0, 0, 10)
        .end();
  }

  private Batch elements(int type, int flags, String verb, String set, Iterable<Element> elements) {
    Iterator<Element> rest = elements.iterator();
    while (rest.hasNext()) {
      Element first = rest.next();
      begin(type, flags, verb + " elements of " + set + ", from " + first);
      writer.text(NftConstants.ELEMENTS_TABLE, table).text(NftConstants.ELEMENTS_SET, set);
      writer.nest(
          NftConstants.ELEMENTS_LIST,
          () -> list(first, rest, /* whole= */ type == NftConstants.NEW_ELEMENT));
      end();
    }
    return this;
  }

  /** Writes {@code first} and as many more as one list can hold. */
  private void list(Element first, Iterator<Element> rest, boolean whole) {
    int start = writer.length();
    write(first, whole);
    while (rest.hasNext() && writer.length() - start <= FULL_LIST) {
      write(rest.next(), whole);
    }
  }

  private void write(Element element, boolean whole) {
    int start = writer.open(NftConstants.LIST_ELEMENT);
    data(NftConstants.ELEMENT_KEY, element.key());
    if (element.keyEnd().length > 0) {
      data(NftConstants.ELEMENT_KEY_END, element.keyEnd());
    }
    if (whole) {
      value(element);
    }
    writer.close(start);
  }

  private void value(Element element) {
    if (element.data().length > 0) {
      data(NftConstants.ELEMENT_DATA, element.data());
    }
    element
        .verdict()
        .ifPresent(verdict -> writer.nest(NftConstants.ELEMENT_DATA, () -> verdict.write(writer)));
    userdata(NftConstants.ELEMENT_USERDATA, UserData.encodeComment(element.comment()));
  }

  private void data(int type, byte[] value) {
    int start = writer.open(type);
    writer.bytes(NftConstants.DATA_VALUE, value).close(start);
  }

  private void userdata(int type, byte[] value) {
    if (value.length > 0) {
      writer.bytes(type, value);
    }
  }

  private void begin(int type, int flags, String operation) {
    operations.add(operation + " (" + family.word() + ")");
    lastMessage = writer.length();
    writer.begin(NftConstants.SUBSYSTEM | type, MessageWriter.REQUEST | flags, operations.size());
    writer.raw(family.number(), 0, 0, 0);
  }

  private Batch end() {
    length = writer.end().length();
    return this;
  }

  private static String noun(SetSpec set) {
    return set.kind() == SetSpec.Kind.SET ? "set" : "map";
  }
}

package dev.portolan.netlink.nftables;

import dev.portolan.netlink.MessageWriter;
import java.util.ArrayList;
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

  private final MessageWriter writer = new MessageWriter();
  private int family = 2;
  private final String table;
  private final List<String> operations = new ArrayList<>();
  private int lastMessage;

  /** An empty transaction on the tables of that name. */
  public Batch(String table) {
    this.table = table;
  }

  /** What is added from here on concerns the table of the IPv6 family, or of the IPv4 one. */
  public Batch family(boolean ipv6) {
    family = ipv6 ? 10 : 2;
    return this;
  }

  /** Makes the table, unless it is there. */
  public Batch addTable(String comment) {
    begin(Protocol.NEW_TABLE, MessageWriter.CREATE, "add table " + table);
    writer.text(Protocol.TABLE_NAME, table);
    userdata(Protocol.TABLE_USERDATA, UserData.comment(comment));
    return end();
  }

  /** Removes the table with all that is in it. */
  public Batch deleteTable() {
    begin(Protocol.DELETE_TABLE, 0, "delete table " + table);
    writer.text(Protocol.TABLE_NAME, table);
    return end();
  }

  /** Makes a chain, unless it is there. */
  public Batch addChain(String name, Optional<Hook> hook, String comment) {
    begin(Protocol.NEW_CHAIN, MessageWriter.CREATE, "add chain " + name);
    writer.text(Protocol.CHAIN_TABLE, table).text(Protocol.CHAIN_NAME, name);
    hook.ifPresent(place -> {
      int nest = writer.beginNest(Protocol.CHAIN_HOOK);
      writer.u32(Protocol.HOOK_NUMBER, place.point().number());
      writer.u32(Protocol.HOOK_PRIORITY, place.priority());
      writer.endNest(nest);
      writer.u32(Protocol.CHAIN_POLICY, 1);
      writer.text(Protocol.CHAIN_TYPE, place.type().name().toLowerCase(Locale.ROOT));
    });
    userdata(Protocol.CHAIN_USERDATA, UserData.comment(comment));
    return end();
  }

  /** Removes a chain that nothing refers to any more. */
  public Batch deleteChain(String name) {
    begin(Protocol.DELETE_CHAIN, 0, "delete chain " + name);
    writer.text(Protocol.CHAIN_TABLE, table).text(Protocol.CHAIN_NAME, name);
    return end();
  }

  /** Removes the rules of a chain. */
  public Batch flushChain(String name) {
    begin(Protocol.DELETE_RULE, 0, "flush chain " + name);
    writer.text(Protocol.RULE_TABLE, table).text(Protocol.RULE_CHAIN, name);
    return end();
  }

  /** Adds a rule at the end of a chain. */
  public Batch addRule(String chain, Expressions expressions, String comment) {
    begin(
        Protocol.NEW_RULE,
        MessageWriter.CREATE | MessageWriter.APPEND,
        "add a rule to chain " + chain);
    writer.text(Protocol.RULE_TABLE, table).text(Protocol.RULE_CHAIN, chain);
    int nest = writer.beginNest(Protocol.RULE_EXPRESSIONS);
    writer.rawBytes(expressions.toBytes());
    writer.endNest(nest);
    userdata(Protocol.RULE_USERDATA, UserData.comment(comment));
    return end();
  }

  /** Removes one rule, by the number that the kernel gave it. */
  public Batch deleteRule(String chain, long handle) {
    begin(Protocol.DELETE_RULE, 0, "delete rule " + handle + " of chain " + chain);
    writer.text(Protocol.RULE_TABLE, table).text(Protocol.RULE_CHAIN, chain);
    writer.u64(Protocol.RULE_HANDLE, handle);
    return end();
  }

  /** Makes a set or map, unless it is there. */
  public Batch addSet(SetSpec set) {
    begin(Protocol.NEW_SET, MessageWriter.CREATE, "add " + noun(set) + " " + set.name());
    writer.text(Protocol.SET_TABLE, table).text(Protocol.SET_NAME, set.name());
    writer.u32(Protocol.SET_FLAGS, set.flags());
    writer.u32(Protocol.SET_KEY_TYPE, set.keyType());
    writer.u32(Protocol.SET_KEY_LENGTH, set.keyLength());
    if (set.kind() != SetSpec.Kind.SET) {
      writer.u32(Protocol.SET_DATA_TYPE, set.dataType());
      writer.u32(Protocol.SET_DATA_LENGTH, set.dataLength());
    }
    if (set.timeoutMillis() > 0) {
      writer.u64(Protocol.SET_TIMEOUT, set.timeoutMillis());
    }
    writer.u32(Protocol.SET_ID, operations.size());
    int description = writer.beginNest(Protocol.SET_DESCRIPTION);
    if (set.dynamic()) {
      writer.u32(Protocol.DESCRIPTION_SIZE, 65_535);
    }
    if (set.ranges() && set.keyFields().size() > 1) {
      int concat = writer.beginNest(Protocol.DESCRIPTION_CONCAT);
      for (int length : set.keyFields()) {
        int field = writer.beginNest(Protocol.LIST_ELEMENT);
        writer.u32(Protocol.FIELD_LENGTH, length);
        writer.endNest(field);
      }
      writer.endNest(concat);
    }
    writer.endNest(description);
    userdata(Protocol.SET_USERDATA, set.userdata().toBytes());
    return end();
  }

  /** Removes a set or map that nothing refers to any more. */
  public Batch deleteSet(String name) {
    begin(Protocol.DELETE_SET, 0, "delete set " + name);
    writer.text(Protocol.SET_TABLE, table).text(Protocol.SET_NAME, name);
    return end();
  }

  /** Adds elements to a set or map. */
  public Batch addElements(String set, Iterable<Element> elements) {
    return elements(Protocol.NEW_ELEMENT, MessageWriter.CREATE, "add", set, elements);
  }

  /** Removes elements, by their keys, from a set or map. */
  public Batch deleteElements(String set, Iterable<Element> elements) {
    return elements(Protocol.DELETE_ELEMENT, 0, "delete", set, elements);
  }

  /** Removes all elements of a set or map. */
  public Batch flushSet(String set) {
    begin(Protocol.DELETE_ELEMENT, 0, "flush set " + set);
    writer.text(Protocol.ELEMENTS_TABLE, table).text(Protocol.ELEMENTS_SET, set);
    return end();
  }

  /** Whether nothing was added. */
  public boolean isEmpty() {
    return operations.isEmpty();
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
    MessageWriter whole = new MessageWriter();
    whole.begin(Protocol.BATCH_BEGIN, MessageWriter.REQUEST, 0).raw(0, 0, 0, 10);
    if (generation != 0) {
      whole.u32(1, generation);
    }
    whole.end();
    writer.addFlags(lastMessage, MessageWriter.ACK);
    whole.rawBytes(writer.copyFrom(0));
    whole
        .begin(Protocol.BATCH_END, MessageWriter.REQUEST, operations.size() + 1)
        .raw(0, 0, 0, 10)
        .end();
    return whole;
  }

  private Batch elements(int type, int flags, String verb, String set, Iterable<Element> elements) {
    int list = -1;
    int messageStart = 0;
    for (Element element : elements) {
      if (list < 0) {
        begin(type, flags, verb + " elements of " + set + ", from " + element);
        writer.text(Protocol.ELEMENTS_TABLE, table).text(Protocol.ELEMENTS_SET, set);
        messageStart = writer.length();
        list = writer.beginNest(Protocol.ELEMENTS_LIST);
      }
      write(element, type == Protocol.NEW_ELEMENT);
      if (writer.length() - messageStart > FULL_LIST) {
        writer.endNest(list);
        end();
        list = -1;
      }
    }
    if (list >= 0) {
      writer.endNest(list);
      end();
    }
    return this;
  }

  private void write(Element element, boolean whole) {
    int nest = writer.beginNest(Protocol.LIST_ELEMENT);
    data(Protocol.ELEMENT_KEY, element.key());
    if (element.keyEnd().length > 0) {
      data(Protocol.ELEMENT_KEY_END, element.keyEnd());
    }
    if (whole) {
      if (element.data().length > 0) {
        data(Protocol.ELEMENT_DATA, element.data());
      }
      element
          .verdict()
          .ifPresent(verdict -> {
            int value = writer.beginNest(Protocol.ELEMENT_DATA);
            verdict.write(writer);
            writer.endNest(value);
          });
      userdata(Protocol.ELEMENT_USERDATA, UserData.comment(element.comment()));
    }
    writer.endNest(nest);
  }

  private void data(int type, byte[] value) {
    int nest = writer.beginNest(type);
    writer.bytes(Protocol.DATA_VALUE, value);
    writer.endNest(nest);
  }

  private void userdata(int type, byte[] value) {
    if (value.length > 0) {
      writer.bytes(type, value);
    }
  }

  private void begin(int type, int flags, String operation) {
    operations.add(operation + (family == 2 ? " (ip)" : " (ip6)"));
    lastMessage = writer.length();
    writer.begin(Protocol.SUBSYSTEM | type, MessageWriter.REQUEST | flags, operations.size());
    writer.raw(family, 0, 0, 0);
  }

  private Batch end() {
    writer.end();
    return this;
  }

  private static String noun(SetSpec set) {
    return set.kind() == SetSpec.Kind.SET ? "set" : "map";
  }
}

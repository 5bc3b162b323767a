package dev.portolan.walk.nft.table;

import dev.portolan.core.net.Ip;
import dev.portolan.nftables.Element;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Writes a rule as nft does, as far as the kernel still knows how that was. */
final class RuleWriter {
  private static final int MOST_ELEMENTS = 6;

  private final CompiledRule rule;
  private final Map<Integer, LoadedText> words = new TreeMap<>();
  private final List<String> parts = new ArrayList<>();

  private RuleWriter(CompiledRule rule) {
    this.rule = rule;
  }

  static String text(CompiledRule rule) {
    RuleWriter writer = new RuleWriter(rule);
    rule.expressions().forEach(writer::write);
    if (!rule.comment().isEmpty()) {
      writer.parts.add("comment \"" + rule.comment() + "\"");
    }
    return String.join(" ", writer.parts);
  }

  private void write(NftExpression expression) {
    switch (expression) {
      case NftExpression.LoadHeader load ->
          words.put(load.to(), LoadedText.ofHeader(load.base(), load.offset(), load.length()));
      case NftExpression.LoadMeta load -> words.put(load.to(), LoadedText.ofMeta(load.key()));
      case NftExpression.LoadConnection load ->
          words.put(load.to(), LoadedText.ofConnection(load.key(), load.reply()));
      case NftExpression.LoadRoute load ->
          words.put(load.to(), LoadedText.ofRoute(load.result(), load.flags()));
      case NftExpression.LoadConstant load ->
          words.put(load.to(), LoadedText.ofConstant(load.value()));
      case NftExpression.Draw draw ->
          words.put(draw.to(), LoadedText.of(draw.words(), ValueType.NUMBER));
      case NftExpression.LoadFromMap load -> {
        String text = key(load.from(), load.map()) + " map " + set(load.map(), load.from());
        words.put(load.to(), LoadedText.of(text, ValueType.BYTES));
      }
      case NftExpression.MaskAndFlip mask ->
          words.put(mask.to(), at(mask.from()).masked(mask.mask(), mask.xor()));
      case NftExpression.Shift shift ->
          words.put(
              shift.to(),
              LoadedText.of(
                  at(shift.from()).words() + (shift.left() ? " << " : " >> ") + shift.bits(),
                  ValueType.BYTES));
      case NftExpression.SwapBytes swap -> words.put(swap.to(), at(swap.from()));
      case NftExpression.Compare compare ->
          parts.add(at(compare.from()).compared(compare.comparison(), compare.value()));
      case NftExpression.InRange range -> {
        LoadedText value = at(range.from());
        parts.add(
            value.words()
                + (range.inverted() ? " != " : " ")
                + value.type().text(range.first())
                + "-"
                + value.type().text(range.last()));
      }
      case NftExpression.InSet in ->
          parts.add(
              key(in.from(), in.set()) + (in.inverted() ? " != " : " ") + set(in.set(), in.from()));
      case NftExpression.VerdictFromMap load ->
          parts.add(key(load.from(), load.map()) + " vmap " + set(load.map(), load.from()));
      case NftExpression.ChangeSet change ->
          parts.add(
              (change.removes() ? "delete @" : "update @")
                  + change.set()
                  + " { "
                  + key(change.from(), change.set())
                  + " }");
      case NftExpression.StoreHeader store ->
          parts.add(
              LoadedText.ofHeader(store.base(), store.offset(), store.length()).words()
                  + " set "
                  + value(store.from(), ValueType.BYTES));
      case NftExpression.StoreMeta store -> {
        LoadedText meta = LoadedText.ofMeta(store.key());
        parts.add(meta.words() + " set " + value(store.from(), meta.type()));
      }
      case NftExpression.StoreConnection store -> {
        LoadedText fact = LoadedText.ofConnection(store.key(), false);
        parts.add(fact.words() + " set " + value(store.from(), fact.type()));
      }
      case NftExpression.Translate nat -> parts.add(translation(nat));
      case NftExpression.Redirect redirect ->
          parts.add(
              redirect.port() < 0
                  ? "redirect"
                  : "redirect to :" + value(redirect.port(), ValueType.PORT));
      case NftExpression.Masquerade masquerade ->
          parts.add("masquerade" + ((masquerade.flags() & 16) != 0 ? " fully-random" : ""));
      case NftExpression.Decide decide -> parts.add(decide.verdict().toString());
      case NftExpression.Reject reject ->
          parts.add(reject.type() == 1 ? "reject with tcp reset" : "reject");
      case NftExpression.Untrack _ -> parts.add("notrack");
      case NftExpression.Aside(String name) -> parts.add(name);
      case NftExpression.Limit limit ->
          parts.add(limit.words() + (limit.inverted() ? " over …" : " …"));
      case NftExpression.Obscure(String name) -> parts.add("(" + name + ")");
    }
  }

  private String translation(NftExpression.Translate nat) {
    String verb = nat.destination() ? "dnat to " : "snat to ";
    if (nat.address() < 0) {
      return verb + ":" + value(nat.port(), ValueType.PORT);
    }
    String address = value(nat.address(), ValueType.ADDRESS);
    // A map gives address and port at once, and the port is not loaded by itself.
    if (nat.port() < 0
        || !words.containsKey(nat.port())
        || at(nat.address()).words().contains(" map ")) {
      return verb + address;
    }
    LoadedText loaded = at(nat.address());
    String port = value(nat.port(), ValueType.PORT);
    boolean known = loaded.constant().length == 4 || loaded.constant().length == 16;
    return verb
        + (known
            ? Ip.fromBytes(loaded.constant()).withPort(Integer.parseInt(port))
            : address + ":" + port);
  }

  private LoadedText at(int word) {
    return words.getOrDefault(word, LoadedText.of("?", ValueType.BYTES));
  }

  private String value(int word, ValueType type) {
    LoadedText loaded = at(word);
    return loaded.constant().length > 0 ? type.text(loaded.constant()) : loaded.words();
  }

  private List<LoadedText> fields(int from, String set) {
    int end = from + (rule.table().set(set).map(it -> it.set().keyLength()).orElse(4) + 3) / 4;
    return words.entrySet().stream()
        .filter(entry -> entry.getKey() >= from && entry.getKey() < end)
        .map(Map.Entry::getValue)
        .toList();
  }

  private String key(int from, String set) {
    return fields(from, set).stream().map(LoadedText::words).collect(Collectors.joining(" . "));
  }

  /** The name of a set, or what is in it where it has none. */
  private String set(String name, int from) {
    NftDump.ElementSet set =
        rule.table()
            .set(name)
            .map(ElementIndex::set)
            .filter(NftDump.ElementSet::isAnonymous)
            .orElse(null);
    if (set == null) {
      return "@" + name;
    }
    List<String> elements = new ArrayList<>();
    for (NftDump.Entry entry : set.entries()) {
      if (entry.endsRange()) {
        continue;
      }
      elements.add(element(entry, fields(from, name)));
    }
    String rest = elements.size() > MOST_ELEMENTS ? ", …" : "";
    return elements.stream()
        .sorted()
        .limit(MOST_ELEMENTS)
        .collect(Collectors.joining(", ", "{ ", rest + " }"));
  }

  private String element(NftDump.Entry entry, List<LoadedText> fields) {
    Element element = entry.element();
    String key = entry.catchesAll() ? "*" : joined(element.key(), fields);
    String last = element.keyEnd().length == 0 ? "" : "-" + joined(element.keyEnd(), fields);
    String data =
        element
            .verdict()
            .map(verdict -> " : " + verdict)
            .orElseGet(() -> element.data().length == 0 ? "" : " : " + data(element.data()));
    return key + last + data;
  }

  private String joined(byte[] key, List<LoadedText> fields) {
    List<String> values = new ArrayList<>();
    int at = 0;
    for (LoadedText field : fields) {
      int width = field.type().width(field.words().startsWith("ip6") ? 10 : 2);
      int end = width == 0 ? key.length : Math.min(key.length, at + width);
      values.add(field.type().text(Arrays.copyOfRange(key, Math.min(at, end), end)));
      at = end;
    }
    return String.join(" . ", values);
  }

  /** What maps of endpoints give: an address, or an address and a port. */
  private static String data(byte[] data) {
    return switch (data.length) {
      case 4, 16 -> ValueType.ADDRESS.text(data);
      case 8, 20 ->
          ValueType.ADDRESS.text(Arrays.copyOf(data, data.length - 4))
              + " . "
              + ValueType.PORT.text(Arrays.copyOfRange(data, data.length - 4, data.length));
      default -> ValueType.BYTES.text(data);
    };
  }
}

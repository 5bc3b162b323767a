package dev.portolan.text;

import static dev.portolan.core.text.Quotes.quote;

import dev.portolan.core.text.Quotes;
import dev.portolan.text.Value.Entry;
import dev.portolan.text.Value.Mapping;
import dev.portolan.text.Value.Scalar;
import dev.portolan.text.Value.Sequence;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Builds the values of a document out of the pieces that a parser finds, and refuses what a
 * document may not be: too deep, with a key twice, endless or enormous, also through its aliases.
 *
 * <p>It always knows what is open. So a syntax error can be reported together with the object and
 * the field in which it happened.
 */
abstract class TreeBuilder {
  private static final int DEEPEST = 500;
  private static final int MOST_ALIASED = 1_000_000;

  /** Text of this length takes as much memory as another value. */
  private static final int TEXT_OF_A_VALUE = 16;

  /** Keys that are kept for the next objects, and how long one may be. */
  private static final int MOST_KEYS = 10_000;

  private static final int LONGEST_KEY = 100;

  private final boolean asWritten;
  private final List<Open> open = new ArrayList<>();
  private final Map<String, Anchored> anchors = new HashMap<>();
  private final Map<String, String> knownKeys = new HashMap<>();
  private long aliased;

  /** How many values the tree holds, with its text and its anchors counted as values. */
  private long held;

  private @Nullable Value root;

  /** A finished value that aliases may repeat, and how many values it holds. */
  private record Anchored(Value value, long size) {}

  /** A mapping or a sequence whose end was not seen yet. */
  private static final class Open {
    private final Value value;
    private final @Nullable String anchor;
    private final Set<String> keys;
    private final List<Mapping> merged = new ArrayList<>(0);
    private @Nullable Scalar key;
    private boolean merging;
    private boolean hasMerged;
    private long size = 1;

    /** How many items of a list were taken, and are not in the value. */
    private int taken;

    /** How many values the tree held when it began. */
    private final long heldBefore;

    private Open(Value value, @Nullable String anchor, long heldBefore) {
      this.value = value;
      this.anchor = anchor;
      this.heldBefore = heldBefore;
      this.keys = value instanceof Mapping ? new HashSet<>() : Set.of();
    }

    /** Whether the value of {@code field} is the next one. */
    private boolean isAt(String field) {
      return key != null && key.text().equals(field);
    }
  }

  /**
   * An empty tree.
   *
   * @param asWritten whether a key that is there twice stays so, and {@code <<} is a key like any
   *     other
   */
  TreeBuilder(boolean asWritten) {
    this.asWritten = asWritten;
  }

  /** A document starts. */
  void startDocument(int line, int column) {}

  /** A document that has a value is complete. */
  abstract void document(Value document);

  /** Offers a member of a document's own list of items; returns whether it was taken. */
  boolean item(Value item, Value list) {
    return false;
  }

  /** How many values of one object the tree may hold at once. */
  long mostValues() {
    return DocumentSink.MOST_VALUES;
  }

  /** Is called from time to time with how many characters were read. */
  void reached(int characters) {}

  /** What to throw for a mistake at this place. */
  abstract RuntimeException wrong(int line, int column, String text);

  /** How many mappings and lists are open. */
  final int depth() {
    return open.size();
  }

  /** Starts a mapping. */
  void mapping(@Nullable String tag, @Nullable String anchor, int line, int column) {
    push(new Mapping(new ArrayList<>(), tag, line, column), anchor);
  }

  /** Starts a sequence. */
  void sequence(@Nullable String tag, @Nullable String anchor, int line, int column) {
    push(new Sequence(new ArrayList<>(), tag, line, column), anchor);
  }

  /** Ends the mapping or the sequence that was started last. */
  void end() {
    Open ended = open.removeLast();
    if (ended.value instanceof Mapping mapping) {
      for (Mapping merged : ended.merged) {
        merged.entries().stream()
            .filter(entry -> ended.keys.add(entry.key().text()))
            .forEach(mapping.entries()::add);
      }
    }
    add(ended.value, ended.anchor, ended.size);
  }

  /** Adds text. */
  void scalar(
      String text,
      boolean quoted,
      @Nullable String tag,
      @Nullable String anchor,
      int line,
      int column) {
    Scalar scalar = new Scalar(text, quoted, tag, line, column);
    hold(scalar, text.length(), anchor);
    add(scalar, anchor, 1);
  }

  /** Adds the value that was given the name {@code anchor} before. */
  void alias(String anchor, int line, int column) {
    for (Open value : open) {
      if (anchor.equals(value.anchor)) {
        throw wrong(
            line,
            column,
            "the alias "
                + quote("*" + anchor)
                + " refers to a value that contains it, which would never end; write out the"
                + " value");
      }
    }
    Anchored known = anchors.get(anchor);
    if (known == null) {
      throw wrong(
          line,
          column,
          "the alias "
              + quote("*" + anchor)
              + " refers to an anchor that this document does not define; write '&"
              + Quotes.brief(anchor)
              + "' before the value");
    }
    aliased += known.size;
    if (aliased > MOST_ALIASED) {
      throw wrong(
          line,
          column,
          "the aliases in this file expand to more than "
              + MOST_ALIASED
              + " values; use fewer of them");
    }
    add(known.value, null, known.size);
  }

  /** Ends a document, which counts unless it had no value; the next one may start. */
  void endDocument() {
    if (root != null) {
      document(root);
    }
    root = null;
    open.clear();
    anchors.clear();
    let(0);
  }

  /** Counts what the tree holds from here on. */
  private void hold(Value value, int text, @Nullable String anchor) {
    int named = anchor == null ? 0 : TEXT_OF_A_VALUE + anchor.length();
    int tagged = value.tag() == null ? 0 : value.tag().length();
    held += 1 + (text + named + tagged) / TEXT_OF_A_VALUE;
    if (held > mostValues()) {
      throw wrong(
          value.line(),
          value.column(),
          "more than "
              + mostValues()
              + " values, or "
              + mostValues() * TEXT_OF_A_VALUE
              + " characters, in one object, which no Kubernetes object has; write each object"
              + " as a document of its own, after a line '---'");
    }
  }

  /** An object is out of the tree, which holds that many values without it. */
  private void let(long rest) {
    held = rest;
    if (knownKeys.size() > MOST_KEYS) {
      knownKeys.clear();
    }
  }

  /** Whether a mapping is open that waits for a key. */
  private boolean awaitsKey() {
    return !open.isEmpty()
        && open.getLast().value instanceof Mapping
        && open.getLast().key == null
        && !open.getLast().merging;
  }

  /** A sentence about a mistake at this place of {@code file}, inside of what is open. */
  final String sentence(String file, int line, int column, String text) {
    int object = objectDepth();
    return Sentence.at(file, line, column, describe(object), path(object), text);
  }

  private void push(Value value, @Nullable String anchor) {
    if (open.size() == DEEPEST) {
      throw wrong(
          value.line(),
          value.column(),
          "nested more than " + DEEPEST + " levels deep; no Kubernetes object is");
    }
    if (awaitsKey()) {
      throw notAKey(value);
    }
    long before = held;
    hold(value, 0, anchor);
    open.add(new Open(value, anchor, before));
  }

  private void add(Value value, @Nullable String anchor, long size) {
    if (anchor != null) {
      anchors.put(anchor, new Anchored(value, size));
    }
    if (open.isEmpty()) {
      root = value;
      return;
    }
    Open parent = open.getLast();
    parent.size += size;
    switch (parent.value) {
      case Sequence sequence -> {
        if (sequence.items().isEmpty() && isListOfObjects() && item(value, open.getFirst().value)) {
          parent.taken++;
          if (anchors.isEmpty()) {
            let(parent.heldBefore + 1);
          }
        } else {
          sequence.items().add(value);
        }
      }
      case Mapping mapping -> {
        if (parent.merging) {
          parent.merging = false;
          merge(parent, value);
        } else if (parent.key == null) {
          key(parent, value);
        } else {
          mapping.entries().add(new Entry(parent.key, value));
          parent.key = null;
        }
      }
      case Scalar scalar -> throw new IllegalStateException("text contains no values");
    }
  }

  private void key(Open parent, Value value) {
    if (!(value instanceof Scalar scalar)) {
      throw notAKey(value);
    }
    boolean merge =
        !asWritten && scalar.text().equals("<<") && !scalar.quoted() && scalar.tag() == null;
    boolean twice = merge ? parent.hasMerged : !parent.keys.add(scalar.text());
    if (twice && !asWritten) {
      throw wrong(
          scalar.line(),
          scalar.column(),
          "the key " + quote(scalar.text()) + " is a duplicate; remove one of them");
    }
    if (merge) {
      parent.merging = true;
      parent.hasMerged = true;
    } else {
      parent.key =
          scalar.text().length() > LONGEST_KEY
              ? scalar
              : scalar.named(knownKeys.computeIfAbsent(scalar.text(), text -> text));
    }
  }

  private void merge(Open parent, Value value) {
    List<Value> sources = value instanceof Sequence sequence ? sequence.items() : List.of(value);
    for (Value source : sources) {
      if (!(source instanceof Mapping mapping)) {
        throw wrong(
            value.line(),
            value.column(),
            "the key '<<' needs a mapping; write '<<: *NAME' with the anchor of a mapping");
      }
      parent.merged.add(mapping);
    }
  }

  private RuntimeException notAKey(Value value) {
    return wrong(
        value.line(),
        value.column(),
        "a key must be a string, but this is a "
            + (value instanceof Mapping ? "mapping" : "list")
            + "; if this file is a template ({{ … }}), render it first");
  }

  /** Whether the innermost list is {@code items} of a document, and no alias can refer to it. */
  private boolean isListOfObjects() {
    return open.size() == 2
        && open.getFirst().isAt("items")
        && open.getFirst().anchor == null
        && open.getLast().anchor == null;
  }

  /** Where the innermost known object starts: the document itself, or an item of a list. */
  private int objectDepth() {
    boolean inItem = open.size() > 2 && open.getFirst().isAt("items");
    return inItem ? 2 : 0;
  }

  private String describe(int object) {
    if (open.size() <= object || !(open.get(object).value instanceof Mapping mapping)) {
      return "";
    }
    boolean inMetadata = open.get(object).isAt("metadata") && open.size() > object + 1;
    if (inMetadata
        && mapping.get("kind") instanceof Scalar kind
        && open.get(object + 1).value instanceof Mapping metadata) {
      return Sentence.named(kind.text(), metadata);
    }
    return Sentence.object("", mapping);
  }

  private String path(int object) {
    StringBuilder path = new StringBuilder();
    for (Open value : open.subList(Math.min(object, open.size()), open.size())) {
      if (value.value instanceof Sequence sequence) {
        path.append('[').append(sequence.items().size() + value.taken).append(']');
      } else if (value.key != null) {
        path.append(path.isEmpty() ? "" : ".").append(Quotes.brief(value.key.text()));
      }
    }
    return path.toString();
  }
}

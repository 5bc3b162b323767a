package dev.portolan.text;

import dev.portolan.text.YamlNode.Entry;
import dev.portolan.text.YamlNode.Mapping;
import dev.portolan.text.YamlNode.Scalar;
import dev.portolan.text.YamlNode.Sequence;
import dev.portolan.text.syntax.DoubleQuotes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Builds the one document of a text, as it is written: a key that is there twice stays so. Anchors,
 * aliases and tags are refused.
 */
public final class YamlTree implements YamlEvents {
  private static final int DEEPEST = 50;
  private static final String STRING_TAG = "tag:yaml.org,2002:str";

  private final String what;
  private final BiFunction<FilePosition, String, ? extends RuntimeException> wrong;
  private final List<Open> open = new ArrayList<>();
  private FilePosition start = new FilePosition(1, 1);
  private @Nullable YamlNode root;
  private @Nullable YamlNode found;

  /** A mapping or list whose end was not seen yet; of a mapping, keys and values in turn. */
  private record Open(boolean isMapping, List<YamlNode> parts, FilePosition place) {
    boolean awaitsKey() {
      return isMapping && parts.size() % 2 == 0;
    }
  }

  private YamlTree(
      String what, BiFunction<FilePosition, String, ? extends RuntimeException> wrong) {
    this.what = what;
    this.wrong = wrong;
  }

  /**
   * The document in {@code text}; empty where there is none.
   *
   * @param what the text is, for messages: {@code a configuration}
   * @param wrong makes what is thrown for a mistake, such as a second document
   */
  public static Optional<YamlNode> read(
      String what,
      String text,
      BiFunction<FilePosition, String, ? extends RuntimeException> wrong) {
    YamlTree tree = new YamlTree(what, wrong);
    YamlReader.read(what, text, tree);
    return Optional.ofNullable(tree.found);
  }

  @Override
  public void startDocument(int line, int column) {
    start = new FilePosition(line, column);
  }

  @Override
  public void mapping(@Nullable String tag, @Nullable String anchor, int line, int column) {
    push(true, tag, anchor, new FilePosition(line, column));
  }

  @Override
  public void sequence(@Nullable String tag, @Nullable String anchor, int line, int column) {
    push(false, tag, anchor, new FilePosition(line, column));
  }

  private void push(
      boolean isMapping, @Nullable String tag, @Nullable String anchor, FilePosition place) {
    check(anchor, tag, place);
    if (!open.isEmpty() && open.getLast().awaitsKey()) {
      throw wrong(
          place,
          "a key must be a string, but this is "
              + (isMapping ? "a mapping" : "a list")
              + "; if this file is a template ({{ … }}), render it first");
    }
    open.add(new Open(isMapping, new ArrayList<>(), place));
  }

  @Override
  public void end() {
    Open ended = open.removeLast();
    add(
        ended.isMapping
            ? new Mapping(entries(ended.parts), ended.place)
            : new Sequence(ended.parts, ended.place));
  }

  private static List<Entry> entries(List<YamlNode> parts) {
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < parts.size(); i += 2) {
      entries.add(new Entry((Scalar) parts.get(i), parts.get(i + 1)));
    }
    return entries;
  }

  @Override
  public void scalar(
      String text,
      boolean quoted,
      @Nullable String tag,
      @Nullable String anchor,
      int line,
      int column) {
    FilePosition place = new FilePosition(line, column);
    check(anchor, tag, place);
    add(new Scalar(text, quoted || tag != null, place));
  }

  @Override
  public void alias(String anchor, int line, int column) {
    throw wrong(
        line,
        column,
        "the alias "
            + DoubleQuotes.quote("*" + anchor)
            + " is not allowed in "
            + what
            + "; write the value out");
  }

  @Override
  public void endDocument() {
    if (root != null && !root.isNull()) {
      if (found != null) {
        throw wrong(
            start,
            "a second document starts here, but "
                + what
                + " file has only one; use separate files");
      }
      found = root;
    }
    root = null;
  }

  private void add(YamlNode value) {
    if (open.isEmpty()) {
      root = value;
    } else {
      open.getLast().parts.add(value);
    }
  }

  private void check(@Nullable String anchor, @Nullable String tag, FilePosition place) {
    if (open.size() > DEEPEST) {
      throw wrong(place, "nested too deep; no field of " + what + " is");
    }
    if (anchor != null) {
      throw wrong(
          place,
          "the anchor "
              + DoubleQuotes.quote("&" + anchor)
              + " is not allowed in "
              + what
              + "; remove it and write the value out where it is repeated");
    }
    if (tag != null && !tag.equals(STRING_TAG) && !tag.equals("!")) {
      throw wrong(place, "the tag " + DoubleQuotes.quote(tag) + " is not known; remove it");
    }
  }

  @Override
  public RuntimeException wrong(int line, int column, String text) {
    return wrong(new FilePosition(line, column), text);
  }

  private RuntimeException wrong(FilePosition place, String text) {
    return wrong.apply(place, text);
  }
}

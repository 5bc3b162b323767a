package dev.portolan.config.file;

import dev.portolan.config.fields.ConfigVersion;
import dev.portolan.config.file.YamlNode.Entry;
import dev.portolan.config.file.YamlNode.Mapping;
import dev.portolan.config.file.YamlNode.Scalar;
import dev.portolan.config.file.YamlNode.Sequence;
import dev.portolan.config.finding.ConfigException;
import dev.portolan.config.finding.FilePosition;
import dev.portolan.config.finding.Finding;
import dev.portolan.config.finding.FindingSeverity;
import dev.portolan.text.YamlEvents;
import dev.portolan.text.YamlReader;
import dev.portolan.text.syntax.DoubleQuotes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Builds the one document of a configuration file. It keeps a key that is there twice, because an
 * old version of the file may have such; it refuses anchors and tags, which no version may have.
 */
final class YamlTree implements YamlEvents {
  private static final int DEEPEST = 50;
  private static final String STRING_TAG = "tag:yaml.org,2002:str";

  private final String file;
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

  private YamlTree(String file) {
    this.file = file;
  }

  /** The document in {@code text}; an error where there is none, or more than one. */
  static YamlNode read(String file, String text) {
    YamlTree tree = new YamlTree(file);
    YamlReader.read("a configuration", text, tree);
    if (tree.found == null) {
      throw tree.wrong(
          1,
          1,
          "the file is empty; start it with 'apiVersion: "
              + ConfigVersion.latest().apiVersion()
              + "' and 'kind: "
              + ConfigVersion.KIND
              + "'");
    }
    return tree.found;
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
          place.line(),
          place.column(),
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
            + " is not allowed in a configuration; write the value out");
  }

  @Override
  public void endDocument() {
    if (root != null && !root.isNull()) {
      if (found != null) {
        throw wrong(
            start.line(),
            start.column(),
            "a second document starts here, but a configuration file has only one; use separate"
                + " files");
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
      throw wrong(place.line(), place.column(), "nested too deep; no field of a configuration is");
    }
    if (anchor != null) {
      throw wrong(
          place.line(),
          place.column(),
          "the anchor "
              + DoubleQuotes.quote("&" + anchor)
              + " is not allowed in a configuration; remove it and write the value out where it is"
              + " repeated");
    }
    if (tag != null && !tag.equals(STRING_TAG) && !tag.equals("!")) {
      throw wrong(
          place.line(),
          place.column(),
          "the tag " + DoubleQuotes.quote(tag) + " is not known; remove it");
    }
  }

  @Override
  public ConfigException wrong(int line, int column, String text) {
    FilePosition place = new FilePosition(line, column);
    return new ConfigException(List.of(new Finding(FindingSeverity.ERROR, file, place, "", text)));
  }
}

package dev.portolan.text;

import dev.portolan.text.syntax.DoubleQuotes;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The one document of a text, as it is written: a key that is there twice stays so. Anchors,
 * aliases and tags are refused.
 */
public final class WrittenDocument extends TreeBuilder {
  private static final int DEEPEST = 50;
  private static final String STRING_TAG = "tag:yaml.org,2002:str";

  private final String what;
  private final BiFunction<FilePosition, String, ? extends RuntimeException> wrong;
  private FilePosition start = new FilePosition(1, 1);
  private @Nullable Value found;

  private WrittenDocument(
      String what, BiFunction<FilePosition, String, ? extends RuntimeException> wrong) {
    super(true);
    this.what = what;
    this.wrong = wrong;
  }

  /**
   * The document in {@code text}; empty where there is none.
   *
   * @param what the text is, for messages: {@code a configuration}
   * @param wrong makes what is thrown for a mistake, such as a second document
   */
  public static Optional<Value> read(
      String what,
      String text,
      BiFunction<FilePosition, String, ? extends RuntimeException> wrong) {
    WrittenDocument document = new WrittenDocument(what, wrong);
    YamlReader.read(what, text, document);
    return Optional.ofNullable(document.found);
  }

  @Override
  void startDocument(int line, int column) {
    start = new FilePosition(line, column);
  }

  @Override
  void document(Value document) {
    boolean empty = document instanceof Value.Scalar && ScalarType.of(document) == ScalarType.NULL;
    if (!empty && found != null) {
      throw wrong(
          start.line(),
          start.column(),
          "a second document starts here, but " + what + " file has only one; use separate files");
    }
    found = empty ? found : document;
  }

  @Override
  void mapping(@Nullable String tag, @Nullable String anchor, int line, int column) {
    check(tag, anchor, line, column);
    super.mapping(tag, anchor, line, column);
  }

  @Override
  void sequence(@Nullable String tag, @Nullable String anchor, int line, int column) {
    check(tag, anchor, line, column);
    super.sequence(tag, anchor, line, column);
  }

  @Override
  void scalar(
      String text,
      boolean quoted,
      @Nullable String tag,
      @Nullable String anchor,
      int line,
      int column) {
    check(tag, anchor, line, column);
    super.scalar(text, quoted || tag != null, null, anchor, line, column);
  }

  @Override
  void alias(String anchor, int line, int column) {
    throw wrong(
        line,
        column,
        "the alias "
            + DoubleQuotes.quote("*" + anchor)
            + " is not allowed in "
            + what
            + "; write the value out");
  }

  private void check(@Nullable String tag, @Nullable String anchor, int line, int column) {
    if (depth() > DEEPEST) {
      throw wrong(line, column, "nested too deep; no field of " + what + " is");
    }
    if (anchor != null) {
      throw wrong(
          line,
          column,
          "the anchor "
              + DoubleQuotes.quote("&" + anchor)
              + " is not allowed in "
              + what
              + "; remove it and write the value out where it is repeated");
    }
    if (tag != null && !tag.equals(STRING_TAG) && !tag.equals("!")) {
      throw wrong(line, column, "the tag " + DoubleQuotes.quote(tag) + " is not known; remove it");
    }
  }

  @Override
  RuntimeException wrong(int line, int column, String text) {
    return wrong.apply(new FilePosition(line, column), text);
  }
}

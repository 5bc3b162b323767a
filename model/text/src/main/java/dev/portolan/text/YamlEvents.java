package dev.portolan.text;

import org.jspecify.annotations.Nullable;

/** Is handed the pieces of a YAML text, in their order, each with its place; both count from 1. */
public interface YamlEvents {
  /** A document starts. */
  default void startDocument(int line, int column) {}

  /** A mapping starts; its keys and values follow in turn. */
  void mapping(@Nullable String tag, @Nullable String anchor, int line, int column);

  /** A list starts. */
  void sequence(@Nullable String tag, @Nullable String anchor, int line, int column);

  /** The mapping or list that started last ends. */
  void end();

  /** A text that stands for itself. */
  void scalar(
      String text,
      boolean quoted,
      @Nullable String tag,
      @Nullable String anchor,
      int line,
      int column);

  /** A value stands here once more. */
  void alias(String anchor, int line, int column);

  /** A document ends. */
  void endDocument();

  /** Is called from time to time with how many characters were read. */
  default void reached(int characters) {}

  /** What to throw for a mistake at this place. */
  RuntimeException wrong(int line, int column, String text);
}

package dev.portolan.terminal;

import java.util.List;

/** Reads a word that must be one of a few. */
public final class Choice {
  private Choice() {}

  /** The value that {@code word} stands for; {@code option} is named if there is none. */
  public static <T> T of(String option, String word, List<T> allowed) {
    for (T value : allowed) {
      if (value.toString().equals(word)) {
        return value;
      }
    }
    List<String> words = allowed.stream().map(Object::toString).toList();
    throw CommandFailure.usage(
        option + ": '" + Text.printable(word) + "' is not allowed; write " + or(words));
  }

  /** The words as a sentence has them: {@code a, b or c}. */
  public static String or(List<String> words) {
    return (words.size() == 1 ? "" : String.join(", ", words.subList(0, words.size() - 1)) + " or ")
        + words.getLast();
  }
}

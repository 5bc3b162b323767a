package dev.portolan.terminal;

import java.util.List;
import java.util.function.Supplier;

/** Reads what a person wrote: where it makes no sense, the command line is wrong. */
public final class Choice {
  private Choice() {}

  /**
   * What {@code reading} returns; what it says of an argument that is not valid, it says of {@code
   * option}, which may be empty.
   */
  public static <T> T read(String option, Supplier<T> reading) {
    try {
      return reading.get();
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage(
          (option.isEmpty() ? "" : option + ": ") + Text.printable(String.valueOf(e.getMessage())));
    }
  }

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

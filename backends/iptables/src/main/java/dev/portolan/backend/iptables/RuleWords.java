package dev.portolan.backend.iptables;

import java.util.ArrayList;
import java.util.List;

/** The words of a rule as iptables-save prints it. */
public final class RuleWords {
  private RuleWords() {}

  /**
   * The words of {@code rule}. A quoted word keeps its quotes, so that no comment is mistaken for
   * an option; inside of it a backslash is dropped, and the character that it escapes kept.
   */
  public static List<String> of(String rule) {
    List<String> words = new ArrayList<>();
    if (rule.indexOf('"') < 0) {
      addPlain(rule, words);
      return words;
    }
    StringBuilder word = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < rule.length(); i++) {
      char c = rule.charAt(i);
      if (c == '\\' && quoted && i + 1 < rule.length()) {
        i++;
        word.append(rule.charAt(i));
      } else if (c == '"') {
        quoted = !quoted;
        word.append(c);
      } else if (c == ' ' && !quoted) {
        add(words, word);
      } else {
        word.append(c);
      }
    }
    add(words, word);
    return words;
  }

  /** Most rules have no quotes. */
  private static void addPlain(String rule, List<String> words) {
    for (int start = 0; start < rule.length(); ) {
      int space = rule.indexOf(' ', start);
      int end = space < 0 ? rule.length() : space;
      if (end > start) {
        words.add(rule.substring(start, end));
      }
      start = end + 1;
    }
  }

  private static void add(List<String> words, StringBuilder word) {
    if (!word.isEmpty()) {
      words.add(word.toString());
      word.setLength(0);
    }
  }
}

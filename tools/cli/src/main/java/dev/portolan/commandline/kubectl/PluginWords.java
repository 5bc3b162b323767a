package dev.portolan.commandline.kubectl;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The words of a command line, before any command reads them. */
final class PluginWords {
  /** The option that names a node. */
  static final String NODE = "--node";

  /** Options of kubectl that choose a cluster and a user. */
  static final Set<String> CONNECTION = Set.of("--kubeconfig", "--context", "--as", "--as-group");

  /** Options that people write before the command, and that have a value. */
  private static final Set<String> EARLY =
      Set.of("-n", "--namespace", "-o", "--output", "-l", "--selector", NODE);

  private PluginWords() {}

  /** kubectl takes its options anywhere; so those before the command are moved behind it. */
  static List<String> commandFirst(List<String> words) {
    List<String> early = new ArrayList<>();
    int i = 0;
    while (i < words.size() && words.get(i).startsWith("-")) {
      boolean hasValue = EARLY.contains(words.get(i)) || CONNECTION.contains(words.get(i));
      early.add(words.get(i++));
      if (hasValue && i < words.size()) {
        early.add(words.get(i++));
      }
    }
    if (i == words.size()) {
      return words;
    }
    List<String> all = new ArrayList<>(words.subList(i, words.size()));
    all.addAll(1, early);
    return all;
  }

  /** The options for kubectl. */
  static List<String> connection(List<String> words) {
    return chosen(words, true);
  }

  /** The words for Portolan on a node. */
  static List<String> withoutConnection(List<String> words) {
    return chosen(words, false);
  }

  private static List<String> chosen(List<String> words, boolean connection) {
    List<String> chosen = new ArrayList<>();
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      int equals = word.indexOf('=');
      String name = equals < 0 ? word : word.substring(0, equals);
      boolean isConnection = CONNECTION.contains(name);
      boolean isNode = name.equals(NODE) || name.equals("--hostname-override");
      boolean isWanted = connection ? isConnection : !isConnection && !isNode;
      if (isWanted) {
        chosen.add(word);
      }
      if ((isConnection || isNode) && equals < 0 && i + 1 < words.size()) {
        i++;
        if (isWanted) {
          chosen.add(words.get(i));
        }
      }
    }
    return chosen;
  }
}

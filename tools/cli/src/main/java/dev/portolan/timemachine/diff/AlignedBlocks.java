package dev.portolan.timemachine.diff;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Puts the blocks of a table of nftables in the order that they have in another text. Sets, maps
 * and chains are printed in the order in which services first needed them, which means nothing: one
 * that has only moved is not a difference.
 */
final class AlignedBlocks {
  private static final String END = "}";

  private AlignedBlocks() {}

  /** The lines of {@code after}, in blocks ordered as in {@code before}. */
  static List<String> of(List<String> before, List<String> after) {
    if (!isTable(before) || !isTable(after)) {
      return after;
    }
    Map<String, Integer> places = new HashMap<>();
    blocks(before).keySet().forEach(title -> places.put(title, places.size()));
    Map<String, List<String>> blocks = blocks(after);
    Map<String, Integer> order = new HashMap<>();
    int last = -1;
    for (String title : blocks.keySet()) {
      // A new block stays behind the one that it comes after.
      last = places.getOrDefault(title, last);
      order.put(title, last);
    }
    List<String> titles = new ArrayList<>(blocks.keySet());
    titles.sort((one, other) -> {
      int byPlace = Integer.compare(order.getOrDefault(one, 0), order.getOrDefault(other, 0));
      return byPlace != 0
          ? byPlace
          : Boolean.compare(!places.containsKey(one), !places.containsKey(other));
    });
    List<String> lines = new ArrayList<>();
    for (String title : titles) {
      if (!lines.isEmpty()) {
        lines.add("");
      }
      lines.addAll(blocks.getOrDefault(title, List.of()));
    }
    lines.add(END);
    return lines;
  }

  private static boolean isTable(List<String> lines) {
    return lines.size() > 2 && lines.getFirst().startsWith("table ") && lines.getLast().equals(END);
  }

  /** The blocks between empty lines by their first lines, without the end of the table. */
  private static Map<String, List<String>> blocks(List<String> lines) {
    Map<String, List<String>> blocks = new LinkedHashMap<>();
    List<String> block = new ArrayList<>();
    for (String line : lines.subList(0, lines.size() - 1)) {
      if (line.isEmpty()) {
        block = new ArrayList<>();
      } else {
        block.add(line);
        if (block.size() == 1) {
          blocks.put(line, block);
        }
      }
    }
    return blocks;
  }
}

package dev.portolan.compare.lines;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The difference of two texts as an edit: lines that stay, go and come.
 *
 * <p>Patience diff: lines that both texts have exactly once, in the same order, are fixed points;
 * in between the same is done again. Rules are nearly all such lines, so even a hundred thousand of
 * them take no time. Only where there is no fixed point, and little text, is the longest common
 * subsequence looked for.
 */
public final class LineDiff {
  /** Above this many pairs of lines the rest between two fixed points is taken as replaced. */
  private static final long MOST_PAIRS = 4_000_000;

  private final List<String> before;
  private final List<String> after;
  private final List<Edit> edits = new ArrayList<>();

  /** What becomes of a line. */
  public enum Kind {
    STAYS(' '),
    GOES('-'),
    COMES('+');

    private final char mark;

    Kind(char mark) {
      this.mark = mark;
    }

    /** The sign before the line, as diff has it. */
    public char mark() {
      return mark;
    }
  }

  /** A line and what becomes of it. */
  public record Edit(Kind kind, String line) {}

  private LineDiff(List<String> before, List<String> after) {
    this.before = before;
    this.after = after;
  }

  /** What leads from one text to another, in the order of the lines. */
  public static List<Edit> between(List<String> before, List<String> after) {
    LineDiff diff = new LineDiff(before, after);
    diff.compare(0, before.size(), 0, after.size());
    return diff.edits;
  }

  private void compare(int from, int to, int newFrom, int newTo) {
    int start = from;
    int newStart = newFrom;
    while (start < to && newStart < newTo && before.get(start).equals(after.get(newStart))) {
      stay(start++);
      newStart++;
    }
    int end = to;
    int newEnd = newTo;
    while (end > start && newEnd > newStart && before.get(end - 1).equals(after.get(newEnd - 1))) {
      end--;
      newEnd--;
    }
    List<int[]> fixed = fixedPoints(start, end, newStart, newEnd);
    if (fixed.isEmpty()) {
      compareClosely(start, end, newStart, newEnd);
    } else {
      for (int[] point : fixed) {
        compare(start, point[0], newStart, point[1]);
        stay(point[0]);
        start = point[0] + 1;
        newStart = point[1] + 1;
      }
      compare(start, end, newStart, newEnd);
    }
    for (int i = end; i < to; i++) {
      stay(i);
    }
  }

  private void stay(int line) {
    edits.add(new Edit(Kind.STAYS, before.get(line)));
  }

  /** The longest list of lines that are in both parts once, in the same order. */
  private List<int[]> fixedPoints(int from, int to, int newFrom, int newTo) {
    if (from == to || newFrom == newTo) {
      return List.of();
    }
    Map<String, int[]> places = new HashMap<>();
    for (int i = from; i < to; i++) {
      int[] place = places.computeIfAbsent(before.get(i), key -> new int[] {0, 0, 0, 0});
      place[0]++;
      place[1] = i;
    }
    for (int i = newFrom; i < newTo; i++) {
      int[] place = places.get(after.get(i));
      if (place != null) {
        place[2]++;
        place[3] = i;
      }
    }
    List<int[]> once = new ArrayList<>();
    for (int i = from; i < to; i++) {
      int[] place = places.getOrDefault(before.get(i), new int[] {0, 0, 0, 0});
      if (place[0] == 1 && place[2] == 1) {
        once.add(new int[] {i, place[3]});
      }
    }
    return ascending(once);
  }

  /** The longest part of the points whose second numbers grow too. */
  private static List<int[]> ascending(List<int[]> points) {
    int[] previous = new int[points.size()];
    int[] ends = new int[points.size()];
    int length = 0;
    for (int i = 0; i < points.size(); i++) {
      int low = 0;
      int high = length;
      while (low < high) {
        int middle = (low + high) / 2;
        if (points.get(ends[middle])[1] < points.get(i)[1]) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      previous[i] = low == 0 ? -1 : ends[low - 1];
      ends[low] = i;
      length = Math.max(length, low + 1);
    }
    int[][] longest = new int[length][];
    int at = length == 0 ? -1 : ends[length - 1];
    for (int i = length - 1; i >= 0; i--) {
      longest[i] = points.get(at);
      at = previous[at];
    }
    return Arrays.asList(longest);
  }

  /** Walks along the longest common subsequence. */
  private void compareClosely(int from, int to, int newFrom, int newTo) {
    int rows = to - from;
    int columns = newTo - newFrom;
    boolean much = (long) rows * columns > MOST_PAIRS;
    int[][] common = much ? new int[1][1] : common(from, to, newFrom, newTo);
    int i = from;
    int j = newFrom;
    while (!much && i < to && j < newTo) {
      if (before.get(i).equals(after.get(j))) {
        stay(i++);
        j++;
      } else if (common[i - from + 1][j - newFrom] >= common[i - from][j - newFrom + 1]) {
        edits.add(new Edit(Kind.GOES, before.get(i++)));
      } else {
        edits.add(new Edit(Kind.COMES, after.get(j++)));
      }
    }
    while (i < to) {
      edits.add(new Edit(Kind.GOES, before.get(i++)));
    }
    while (j < newTo) {
      edits.add(new Edit(Kind.COMES, after.get(j++)));
    }
  }

  private int[][] common(int from, int to, int newFrom, int newTo) {
    int[][] common = new int[to - from + 1][newTo - newFrom + 1];
    for (int i = to - 1; i >= from; i--) {
      for (int j = newTo - 1; j >= newFrom; j--) {
        int row = i - from;
        int column = j - newFrom;
        common[row][column] =
            before.get(i).equals(after.get(j))
                ? common[row + 1][column + 1] + 1
                : Math.max(common[row + 1][column], common[row][column + 1]);
      }
    }
    return common;
  }
}

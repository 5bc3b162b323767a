package dev.portolan.compare.lines;

import dev.portolan.compare.lines.LineDiff.Edit;
import dev.portolan.compare.lines.LineDiff.Kind;
import java.util.ArrayList;
import java.util.List;

/** The difference of two texts as {@code diff -u} prints it, without the names of files. */
public final class UnifiedDiff {
  private static final int CONTEXT = 3;

  private UnifiedDiff() {}

  /** The hunks; no line where the texts are equal. */
  public static List<String> between(List<String> before, List<String> after) {
    List<Edit> edits = LineDiff.between(before, after);
    List<String> lines = new ArrayList<>();
    int oldLine = 0;
    int newLine = 0;
    int done = 0;
    int i = 0;
    while (i < edits.size()) {
      if (edits.get(i).kind() == Kind.STAYS) {
        i++;
        continue;
      }
      int start = Math.max(done, i - CONTEXT);
      int end = end(edits, i);
      for (Edit edit : edits.subList(done, start)) {
        oldLine += isOld(edit) ? 1 : 0;
        newLine += isNew(edit) ? 1 : 0;
      }
      List<Edit> hunk = edits.subList(start, end);
      int old = (int) hunk.stream().filter(UnifiedDiff::isOld).count();
      int now = (int) hunk.stream().filter(UnifiedDiff::isNew).count();
      lines.add("@@ -%s +%s @@".formatted(range(oldLine, old), range(newLine, now)));
      hunk.forEach(edit -> lines.add(edit.kind().mark() + edit.line()));
      oldLine += old;
      newLine += now;
      done = end;
      i = end;
    }
    return lines;
  }

  /** Where the hunk ends that starts with the change at {@code first}. */
  private static int end(List<Edit> edits, int first) {
    int last = first;
    for (int i = first; i < edits.size() && i - last <= 2 * CONTEXT; i++) {
      last = edits.get(i).kind() == Kind.STAYS ? last : i;
    }
    return Math.min(edits.size(), last + 1 + CONTEXT);
  }

  private static boolean isOld(Edit edit) {
    return edit.kind() != Kind.COMES;
  }

  private static boolean isNew(Edit edit) {
    return edit.kind() != Kind.GOES;
  }

  private static String range(int before, int count) {
    int start = count == 0 ? before : before + 1;
    return count == 1 ? Integer.toString(start) : start + "," + count;
  }
}

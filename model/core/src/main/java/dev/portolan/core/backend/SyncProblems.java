package dev.portolan.core.backend;

import dev.portolan.core.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;

/**
 * What went wrong while the rest was done, for a backend that goes on where it can. In the end it
 * is one exception, with the code of the first problem and the sentences of the first few.
 */
public class SyncProblems {
  private static final int SENTENCES = 3;

  private final String start;
  private final List<String> sentences = new ArrayList<>();
  private ErrorCode code = ErrorCode.BACKEND;

  /** None yet; the exception will begin with {@code start}. */
  public SyncProblems(String start) {
    this.start = start;
  }

  /** Takes note of a problem. */
  public final void add(ErrorCode kind, String sentence) {
    if (sentences.isEmpty()) {
      code = kind;
    }
    sentences.add(sentence);
  }

  /** All sentences. */
  public final List<String> sentences() {
    return List.copyOf(sentences);
  }

  /** How many were noted. */
  public final int count() {
    return sentences.size();
  }

  /**
   * Ends well if nothing was noted.
   *
   * @throws BackendException with what was noted
   */
  public final void check() {
    check(0);
  }

  /**
   * The same after a repair.
   *
   * @param missing how many of the problems leave something missing or wrong
   */
  public final void check(int missing) {
    if (sentences.isEmpty()) {
      return;
    }
    List<String> distinct = sentences.stream().distinct().toList();
    String rest =
        distinct.size() <= SENTENCES ? "" : "; and " + (distinct.size() - SENTENCES) + " more";
    throw new BackendException(
            code, start + String.join("; ", distinct.stream().limit(SENTENCES).toList()) + rest)
        .leaving(missing);
  }
}

package dev.portolan.source.objects;

import dev.portolan.text.Sentence;
import java.util.ArrayList;
import java.util.List;

/** Collects the warnings about one file; beyond a number that a person reads, it only counts. */
public final class Warnings {
  private static final int MOST = 100;

  private final String file;
  private final List<String> sentences = new ArrayList<>();
  private int left;

  public Warnings(String file) {
    this.file = file;
  }

  /** Adds a whole sentence. */
  public void add(String sentence) {
    if (sentences.size() < MOST) {
      sentences.add(sentence);
    } else {
      left++;
    }
  }

  /** Adds those that another one collected. */
  public void add(Warnings others) {
    others.sentences.forEach(this::add);
    left += others.left;
  }

  /** All sentences, the last of which may be that there are more. */
  public List<String> sentences() {
    List<String> all = new ArrayList<>(sentences);
    if (left > 0) {
      all.add(Sentence.of(file, "and " + left + " more warnings; fix these first"));
    }
    return List.copyOf(all);
  }
}

package dev.portolan.conformance;

import java.util.Optional;
import java.util.function.Consumer;

/**
 * Something that a candidate has to go through, with a new start each time.
 *
 * @param name a short name for people
 * @param purpose what it shows, as a sentence
 * @param play what is done
 */
public record Exercise(String name, String purpose, Play play) {
  /** What is done in an exercise. */
  @FunctionalInterface
  public interface Play {
    /**
     * Runs the exercise.
     *
     * @param progress called from time to time with the progress
     * @return a remark on what was judged
     * @throws ConformanceException where the candidate failed
     */
    String play(Consumer<String> progress);
  }

  /**
   * How an exercise ended.
   *
   * @param failure why the candidate failed, as a sentence; empty where it passed
   * @param remark on what was judged
   */
  public record Result(Optional<String> failure, String remark) {}

  /** Goes through it, whatever happens. */
  public Result run(Consumer<String> progress) {
    try {
      return new Result(Optional.empty(), play.play(progress));
    } catch (ConformanceException e) {
      return new Result(Optional.of(String.valueOf(e.getMessage())), "");
    } catch (RuntimeException e) {
      return new Result(Optional.of("the exercise itself broke: " + e), "");
    }
  }

  /** Runs it in a test: a failure is an AssertionError. */
  public void check() {
    run(words -> {})
        .failure()
        .ifPresent(why -> {
          throw new AssertionError(name + ": " + why);
        });
  }

  @Override
  public String toString() {
    return name;
  }
}

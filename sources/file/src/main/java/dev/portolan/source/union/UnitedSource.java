package dev.portolan.source.union;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.cluster.Source;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.error.Threads;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Several sources as one, the first of which counts most. Each has a thread of its own; the sink is
 * called from one of them at a time, and not before every source has been read.
 */
public final class UnitedSource implements Source {
  private static final int MOST_NAMED = 3;

  private final List<Named> sources;
  private volatile List<ClusterImage> newest = List.of();

  /** A source and what messages call it. */
  public record Named(String name, Source source) {}

  /** The union of {@code sources}. */
  public UnitedSource(List<Named> sources) {
    this.sources = List.copyOf(sources);
  }

  /** Where an object is written, or else the name of the source that it counts from. */
  @Override
  public Optional<String> place(ObjectRef object) {
    List<ClusterImage> images = newest;
    for (int i = 0; i < images.size(); i++) {
      if (ClusterUnion.has(images.get(i), object)) {
        Named named = sources.get(i);
        return named.source.place(object).or(() -> Optional.of(named.name));
      }
    }
    return Optional.empty();
  }

  /** Those of the first source that has any: versions of two servers have nothing in common. */
  @Override
  public Map<String, String> versions() {
    return sources.stream()
        .map(named -> named.source.versions())
        .filter(known -> !known.isEmpty())
        .findFirst()
        .orElse(Map.of());
  }

  /** That of the source that has given none for longest. */
  @Override
  public Duration silence() {
    return sources.stream()
        .map(named -> named.source.silence())
        .max(Comparator.naturalOrder())
        .orElse(Duration.ZERO);
  }

  @Override
  public Kind kind() {
    return sources.stream()
        .map(named -> named.source.kind())
        .min(Comparator.naturalOrder())
        .orElse(Kind.FILES);
  }

  /** That of the first recording. */
  @Override
  public Optional<Instant> recordedAt() {
    return sources.stream()
        .map(named -> named.source.recordedAt())
        .flatMap(Optional::stream)
        .findFirst();
  }

  @Override
  public void run(Sink sink) throws InterruptedException {
    Run run = new Run(sink);
    BlockingQueue<Optional<Throwable>> ends = new LinkedBlockingQueue<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < sources.size(); i++) {
      Part part = run.part(i);
      Source source = sources.get(i).source;
      threads.add(
          Threads.virtual("source")
              .named("source " + sources.get(i).name)
              .start(() -> ends.add(end(source, part))));
    }
    try {
      // A source may have an end, such as standard input; only a failure ends all of them.
      for (int ended = 0; ended < threads.size(); ended++) {
        switch (ends.take().orElse(null)) {
          case null -> {}
          case RuntimeException failure -> throw failure;
          case Throwable failure ->
              throw new IllegalStateException("a source failed: " + failure, failure);
        }
      }
    } finally {
      threads.forEach(Thread::interrupt);
      for (Thread thread : threads) {
        thread.join();
      }
    }
  }

  private static Optional<Throwable> end(Source source, Sink part) {
    try {
      source.run(part);
      return Optional.empty();
    } catch (InterruptedException e) {
      return Optional.empty();
    } catch (RuntimeException | Error e) {
      return Optional.of(e);
    }
  }

  /** What each source handed over, and the warnings about it. */
  private final class Run {
    private final Sink sink;
    private final List<@Nullable ClusterImage> images = new ArrayList<>();
    private final Set<String> told = new HashSet<>();

    /** What fails, by the number of its source. */
    private final SortedMap<Integer, Failure> failures = new TreeMap<>();

    private ClusterImage united = ClusterImage.EMPTY;
    private boolean handedOver;

    private Run(Sink sink) {
      this.sink = sink;
      sources.forEach(source -> images.add(null));
    }

    private Part part(int number) {
      return new Part(this, number);
    }

    private synchronized void apply(int number, ClusterImage image) {
      images.set(number, image);
      List<ClusterImage> all = new ArrayList<>();
      for (ClusterImage known : images) {
        if (known == null) {
          return;
        }
        all.add(known);
      }
      ClusterUnion union = ClusterUnion.of(all);
      newest = List.copyOf(all);
      tell(union);
      ClusterImage next = union.image().sharing(united);
      if (!handedOver || !next.isIdenticalTo(united)) {
        sink.apply(next);
      }
      handedOver = true;
      united = next;
    }

    private synchronized void fail(int number, Failure failure) {
      failures.put(number, failure);
      failure.tell(sink);
    }

    /** All of it is read again only when nothing fails any more. */
    private synchronized void recover(int number) {
      if (failures.remove(number) == null) {
        return;
      }
      if (failures.isEmpty()) {
        sink.recovered();
      } else {
        failures.values().iterator().next().tell(sink);
      }
    }

    private void tell(ClusterUnion union) {
      sentences(union, sources.stream().map(Named::name).toList()).stream()
          .filter(told::add)
          .forEach(sink::report);
    }
  }

  /** The warnings about objects that do not count, a sentence for each source. */
  public static List<String> sentences(ClusterUnion union, List<String> names) {
    List<String> sentences = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      List<ObjectRef> repeated = union.repeated().get(i).stream().sorted().toList();
      if (!repeated.isEmpty()) {
        String some =
            String.join(
                ", ", repeated.stream().limit(MOST_NAMED).map(ObjectRef::toString).toList());
        int more = repeated.size() - MOST_NAMED;
        sentences.add(
            names.get(i)
                + ": "
                + some
                + (more > 0 ? " and " + more + " more" : "")
                + ": already in a source before it, which counts");
      }
    }
    return sentences;
  }

  /** What a source said when it could not be read. */
  private record Failure(ErrorCode code, String problem, String meanwhile) {
    void tell(Sink sink) {
      sink.retrying(code, problem, meanwhile);
    }
  }

  /** The sink of one source. */
  private record Part(Run run, int number) implements Sink {
    @Override
    public void apply(ClusterImage image) {
      run.apply(number, image);
    }

    @Override
    public void report(String problem) {
      synchronized (run) {
        run.sink.report(problem);
      }
    }

    @Override
    public void retrying(ErrorCode code, String problem, String meanwhile) {
      run.fail(number, new Failure(code, problem, meanwhile));
    }

    @Override
    public void recovered() {
      run.recover(number);
    }
  }
}

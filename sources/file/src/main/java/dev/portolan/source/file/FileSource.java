package dev.portolan.source.file;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.cluster.Source;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.error.Failures;
import dev.portolan.text.FolderWatch;
import dev.portolan.text.Sentence;
import dev.portolan.text.TextException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the cluster from a file or a folder, and follows it while it changes.
 *
 * <p>Files are looked at before and after they are read. Only if nothing changed in between, what
 * was read is one state rather than half of one and half of the next; that is what makes the swap
 * of a whole folder, as Kubernetes does with ConfigMaps, one transaction. A file that is written in
 * place is read when it was not written to for a moment ({@link ManifestListing#settlesIn}):
 * nothing marks it as complete, and its writer may pause between two documents.
 */
public final class FileSource implements Source {
  private static final Duration LONGEST_SLEEP = Duration.ofSeconds(2);

  private static final int MOST_ATTEMPTS = 20;

  private final Path path;
  private volatile Manifests newest = new Manifests(ClusterImage.EMPTY, List.of(), Map.of());

  /** A source that reads the file or folder {@code path}. */
  public FileSource(Path path) {
    this.path = path;
  }

  /** A source of manifests that never change, as those of a pipe; they are asked for in the run. */
  public static Source still(Supplier<Manifests> manifests) {
    return new Source() {
      @Override
      public void run(Sink sink) throws InterruptedException {
        Manifests all = manifests.get();
        all.warnings().stream().distinct().forEach(sink::report);
        sink.apply(all.image());
        new CountDownLatch(1).await();
      }

      @Override
      public Optional<String> place(ObjectRef object) {
        return Optional.ofNullable(manifests.get().places().get(object));
      }

      @Override
      public Kind kind() {
        return Kind.FILES;
      }
    };
  }

  /** Where an object of the newest good state is written, as {@code file:line}. */
  @Override
  public Optional<String> place(ObjectRef object) {
    return Optional.ofNullable(newest.places().get(object));
  }

  @Override
  public Kind kind() {
    return Kind.FILES;
  }

  /**
   * Hands over the cluster, then its changes, until the thread is interrupted.
   *
   * @throws TextException if the cluster cannot be read at the start
   */
  @Override
  public void run(Sink sink) throws InterruptedException {
    try (FolderWatch watch = new FolderWatch(LONGEST_SLEEP, sink::report)) {
      new Run(sink, watch).follow();
    }
  }

  /** One run: what was read and reported so far. */
  private final class Run {
    private final Sink sink;
    private final FolderWatch watch;
    private final ManifestLibrary library = new ManifestLibrary(new ReadProgress());
    private ClusterImage image = ClusterImage.EMPTY;
    private Set<String> told = Set.of();
    private @Nullable String failure;
    private @Nullable ManifestListing looked;

    private Run(Sink sink, FolderWatch watch) {
      this.sink = sink;
      this.watch = watch;
    }

    private void follow() throws InterruptedException {
      apply(read(), true);
      while (true) {
        try {
          watch.await();
          if (isChanged()) {
            apply(read(), false);
          }
        } catch (TextException e) {
          report(e.code(), String.valueOf(e.getMessage()));
        } catch (RuntimeException | Error e) {
          Failures.ofProcess().add("source", e);
          report(ErrorCode.of(e), path + ": unexpected failure: " + e);
          Thread.sleep(LONGEST_SLEEP);
        }
      }
    }

    private boolean isChanged() throws InterruptedException {
      ManifestListing listing = list();
      return failure != null || !listing.equals(looked) || !library.isCurrent(listing);
    }

    /** Reads until what was read is one state, and not half of one and half of the next. */
    private Manifests read() throws InterruptedException {
      for (int attempt = 1; ; attempt++) {
        ManifestListing before = list();
        watch.follow(before.folders());
        Duration wait = looked == null ? Duration.ZERO : before.settlesIn(looked, Instant.now());
        if (wait.isPositive()) {
          Thread.sleep(wait);
          reportRestlessness(attempt);
          continue;
        }
        Manifests manifests = null;
        TextException problem = null;
        try {
          manifests = library.read(before);
        } catch (TextException e) {
          problem = e;
        }
        looked = before;
        if (list().equals(before)) {
          if (problem != null) {
            throw problem;
          }
          return Objects.requireNonNull(manifests);
        }
        reportRestlessness(attempt);
        watch.settle();
      }
    }

    private void reportRestlessness(int attempt) {
      if (attempt == MOST_ATTEMPTS) {
        sink.report(
            Sentence.of(
                path.toString(),
                "changes faster than it can be read; changes are ignored until it stays unchanged"
                    + " for a moment"));
      }
    }

    /** An interrupt makes reading fail like a broken disk; it is recognized here. */
    private ManifestListing list() throws InterruptedException {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      return ManifestListing.of(path);
    }

    private void apply(Manifests manifests, boolean first) {
      ClusterImage next = manifests.image().sharing(image);
      newest = manifests;
      for (String warning : manifests.warnings()) {
        if (!told.contains(warning)) {
          sink.report(warning);
        }
      }
      told = new HashSet<>(manifests.warnings());
      if (first || !next.isIdenticalTo(image)) {
        sink.apply(next);
      }
      image = next;
      if (failure != null) {
        failure = null;
        sink.recovered();
      }
    }

    private void report(ErrorCode code, String problem) {
      if (!problem.equals(failure)) {
        failure = problem;
        sink.retrying(code, problem, "the last good state stays in effect");
      }
    }
  }
}

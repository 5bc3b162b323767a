package dev.portolan.bpf;

import dev.portolan.testbase.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/**
 * A cgroup and a bpffs for tests, apart from those of the machine. Threads that enter the cgroup
 * open sockets that its programs see; no other process or thread does.
 */
public final class BpfPlace implements AutoCloseable {
  private final Path before;
  private final Path domain;
  private final Path cgroup;
  private final Path folder;

  private BpfPlace(Path before, Path domain, Path cgroup, Path folder) {
    this.before = before;
    this.domain = domain;
    this.cgroup = cgroup;
    this.folder = folder;
  }

  /**
   * Makes both. This process moves into a cgroup of its own; where it cannot, tests are skipped.
   */
  public static BpfPlace make() {
    Path root = Mounts.read().cgroupRoot().orElse(null);
    Assumptions.assumeTrue(root != null, "no cgroup2 is mounted here");
    try {
      Path before = root.resolve("./" + ownCgroup()).normalize();
      Path domain = root.resolve("portolan-test-" + ProcessHandle.current().pid());
      Path cgroup = domain.resolve("inside");
      Files.createDirectory(domain);
      Files.createDirectory(cgroup);
      Files.writeString(cgroup.resolve("cgroup.type"), "threaded");
      move(domain, ProcessHandle.current().pid());
      Path folder = Files.createTempDirectory("portolan-bpffs-");
      run("mount", "-t", "bpf", "bpf", folder.toString());
      return new BpfPlace(before, domain, cgroup, folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String ownCgroup() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/cgroup")).stream()
        .filter(line -> line.startsWith("0::"))
        .map(line -> line.substring("0::".length()))
        .findFirst()
        .orElse("/");
  }

  private static void move(Path cgroup, long process) throws IOException {
    Files.writeString(cgroup.resolve("cgroup.procs"), String.valueOf(process));
  }

  /** The cgroup to attach programs to. */
  public Path cgroup() {
    return cgroup;
  }

  /** The bpffs to pin to. */
  public Path folder() {
    return folder;
  }

  /** Moves the calling thread into the cgroup, which must be one of the platform's. */
  public void enter() {
    try {
      String thread = Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName().toString();
      Files.writeString(cgroup.resolve("cgroup.threads"), thread);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void run(String... words) throws IOException {
    Process process = new ProcessBuilder(words).inheritIO().start();
    try {
      if (process.waitFor() != 0) {
        throw new IOException(List.of(words) + " ended with " + process.exitValue());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  /** Removes both; this process goes back to where it was. */
  @Override
  public void close() {
    try {
      run("umount", folder.toString());
      Files.delete(folder);
      move(before, ProcessHandle.current().pid());
      // A thread that has just ended is in its cgroup for a moment longer.
      Await.until(cgroup + " to be empty", () -> Files.deleteIfExists(cgroup));
      Await.until(domain + " to be empty", () -> Files.deleteIfExists(domain));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

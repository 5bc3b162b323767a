package dev.portolan.bench.traffic;

import dev.portolan.bench.kit.BenchNamespace;
import dev.portolan.bpf.Mounts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A cgroup for the threads whose sockets are to be translated, and a bpffs to pin to: both apart
 * from those of the machine, so that no other process notices what is measured.
 */
public final class ClientCgroup implements AutoCloseable {
  private static final String OWN = "0::";

  private final Path before;
  private final Path domain;
  private final Path threads;
  private final Path folder;

  /** Makes both; this process moves into a cgroup of its own, the parent of the new one. */
  public ClientCgroup() throws IOException {
    Path root =
        Mounts.read()
            .cgroupRoot()
            .orElseThrow(() -> new IllegalStateException("no cgroup2 is mounted here"));
    before =
        Files.readAllLines(Path.of("/proc/self/cgroup")).stream()
            .filter(line -> line.startsWith(OWN))
            .map(line -> root.resolve("./" + line.substring(OWN.length())).normalize())
            .findFirst()
            .orElse(root);
    domain = root.resolve("portolan-bench-" + ProcessHandle.current().pid());
    threads = domain.resolve("clients");
    Files.createDirectory(domain);
    Files.createDirectory(threads);
    Files.writeString(threads.resolve("cgroup.type"), "threaded");
    moveTo(domain);
    folder = Files.createTempDirectory("portolan-bench-");
    var _ = BenchNamespace.run(List.of("mount", "-t", "bpf", "bpf", folder.toString()), "");
  }

  private static void moveTo(Path cgroup) throws IOException {
    Files.writeString(
        cgroup.resolve("cgroup.procs"), String.valueOf(ProcessHandle.current().pid()));
  }

  /** The cgroup to attach programs to. */
  public Path path() {
    return threads;
  }

  /** Where to pin. */
  public Path pins() {
    return folder.resolve("portolan");
  }

  /** Moves the calling thread into the cgroup; it must be one of the platform's. */
  public void enter() {
    try {
      String thread = Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName().toString();
      Files.writeString(threads.resolve("cgroup.threads"), thread);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    var _ = BenchNamespace.run(List.of("umount", folder.toString()), "");
    Files.delete(folder);
    moveTo(before);
    Files.delete(threads);
    Files.delete(domain);
  }
}

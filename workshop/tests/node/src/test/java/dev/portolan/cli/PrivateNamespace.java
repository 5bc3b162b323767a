package dev.portolan.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A network namespace without a link: rules can be written there, and no packet ever meets them.
 * Its name is like those of the lab, so that the lab removes it where a test was killed.
 */
final class PrivateNamespace {
  private static final AtomicInteger COUNT = new AtomicInteger();

  private final String name;

  PrivateNamespace() throws IOException, InterruptedException {
    name =
        String.format(
            "portolan-%d-%d-%d-cli",
            ProcessHandle.current().pid(),
            Instant.now().getEpochSecond(),
            1000 + COUNT.incrementAndGet());
    Programs.run("ip", "netns", "add", name);
  }

  String name() {
    return name;
  }

  Path path() {
    return Path.of("/run/netns", name);
  }

  /** Runs nft inside. */
  String nft(String... words) throws IOException, InterruptedException {
    return run(Stream.concat(Stream.of("nft"), Stream.of(words)).toArray(String[]::new));
  }

  /** Runs a program inside. */
  String run(String... words) throws IOException, InterruptedException {
    return Programs.run(
        Stream.concat(Stream.of("ip", "netns", "exec", name), Stream.of(words))
            .toArray(String[]::new));
  }

  /** Removes it. */
  void delete() throws IOException, InterruptedException {
    Programs.run("ip", "netns", "delete", name);
  }
}

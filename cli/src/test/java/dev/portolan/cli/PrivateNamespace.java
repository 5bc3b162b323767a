package dev.portolan.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;

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
    String[] all = new String[words.length + 5];
    System.arraycopy(new String[] {"ip", "netns", "exec", name, "nft"}, 0, all, 0, 5);
    System.arraycopy(words, 0, all, 5, words.length);
    return Programs.run(all);
  }

  /** Removes it. */
  void delete() throws IOException, InterruptedException {
    Programs.run("ip", "netns", "delete", name);
  }
}

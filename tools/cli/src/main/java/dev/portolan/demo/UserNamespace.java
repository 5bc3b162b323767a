package dev.portolan.demo;

import dev.portolan.terminal.CommandFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs this program again as root of a new user namespace, for users other than root. It has its
 * own network, and an empty place for the names of network namespaces.
 */
public final class UserNamespace {
  private static final String INSIDE = "PORTOLAN_DEMO_INSIDE";
  private static final List<String> UNSHARE =
      List.of("unshare", "--user", "--map-root-user", "--net", "--mount");

  /** The JVM believes in IPv6 only where it finds an address of it. */
  private static final String PLACE =
      "ip link set lo up && if [ -d /run/netns ]; then mount -t tmpfs tmpfs /run/netns;"
          + " else mount -t tmpfs tmpfs /run; fi";

  private UserNamespace() {}

  /** Whether this process is root, be it only in a user namespace. */
  public static boolean isRoot() {
    try {
      return Files.getAttribute(Path.of("/proc/self"), "unix:uid") instanceof Integer uid
          && uid == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** Why no user namespace can be made; empty where one can. */
  public static Optional<String> obstacle() throws InterruptedException {
    if (!InstalledPrograms.exist("unshare")) {
      return Optional.of("the program unshare (install util-linux)");
    }
    if (!InstalledPrograms.exist("ip")) {
      return Optional.of("the program ip (install iproute2)");
    }
    List<String> words = new ArrayList<>(UNSHARE);
    words.addAll(List.of("sh", "-c", PLACE));
    try {
      Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String output =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return process.waitFor() == 0
          ? Optional.empty()
          : Optional.of("unprivileged user namespaces (" + firstLine(output) + ")");
    } catch (IOException e) {
      return Optional.of("the program unshare (" + e.getMessage() + ")");
    }
  }

  /** Runs this process's own command line inside, to its end; returns its exit status. */
  public static int runInside() {
    ProcessHandle.Info self = ProcessHandle.current().info();
    List<String> words = new ArrayList<>(UNSHARE);
    words.addAll(List.of("sh", "-c", PLACE + " && exec \"$@\"", "sh"));
    words.add(self.command().orElseThrow(() -> unstarted("the path of this program is unknown")));
    words.addAll(
        List.of(
            self.arguments()
                .orElseThrow(() -> unstarted("the arguments of this program are unknown"))));
    ProcessBuilder builder = new ProcessBuilder(words).inheritIO();
    builder.environment().put(INSIDE, "1");
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      throw unstarted(e.getMessage());
    }
    while (true) {
      try {
        return process.waitFor();
      } catch (InterruptedException e) {
        process.destroy();
      }
    }
  }

  private static CommandFailure unstarted(@Nullable String why) {
    return CommandFailure.refused("the demo could not be started: " + why);
  }

  /** Whether this process was started by {@link #runInside}. */
  static boolean isInside() {
    return System.getenv(INSIDE) != null;
  }

  /** The command by which another shell enters. */
  static String door() {
    return "nsenter -t "
        + ProcessHandle.current().pid()
        + " --user --preserve-credentials --mount --net bash";
  }

  private static String firstLine(String text) {
    return text.lines().findFirst().orElse("it failed without output");
  }
}

package dev.portolan.netlink.lab;

import dev.portolan.netlink.NetworkNamespace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * A network namespace for one test, with nothing but loopback in it and no way out. Its name holds
 * the process's id; those that a killed process has left are removed.
 */
public final class TestNamespace implements AutoCloseable {
  private static final String PREFIX = "pt-" + ProcessHandle.current().pid() + "-";
  private static final AtomicInteger COUNT = new AtomicInteger();

  /** In /proc/net/tcp. */
  private static final String ESTABLISHED = "01";

  private final String name;
  private final Thread atExit = new Thread(this::remove, "remove-netns");

  /** Makes a namespace. */
  public TestNamespace() {
    removeOrphans();
    name = PREFIX + COUNT.incrementAndGet();
    Command.run("ip", "netns", "add", name);
    Runtime.getRuntime().addShutdownHook(atExit);
    ip("link", "set", "lo", "up");
  }

  /** The namespace. */
  public NetworkNamespace namespace() {
    return NetworkNamespace.named(name);
  }

  /** The file that stands for it. */
  public Optional<Path> path() {
    return namespace().toOptional();
  }

  /** Runs {@code ip} on it. */
  public String ip(String... words) {
    return Command.run(join(new String[] {"ip", "-n", name}, words));
  }

  /** Runs a program in it. */
  public String run(String... words) {
    return Command.run(join(new String[] {"ip", "netns", "exec", name}, words));
  }

  /** Runs a program in it that reads {@code input}. */
  public String runWithInput(String input, String... words) {
    return Command.runWithInput(input, join(new String[] {"ip", "netns", "exec", name}, words));
  }

  /** Loads rules in it with {@code nft}. */
  public String nft(String rules) {
    return runWithInput(rules, "nft", "-f", "-");
  }

  /**
   * From now on packets of the connections that are open to {@code port} vanish; both ends are in
   * here. New connections work.
   */
  public void losePackets(int port) {
    String to = String.format("%04X", port);
    String from =
        (run("cat", "/proc/net/tcp") + run("cat", "/proc/net/tcp6"))
            .lines()
            .map(line -> line.strip().split("[\\s:]+", -1))
            .filter(
                words -> words.length > 5 && words[4].equals(to) && words[5].equals(ESTABLISHED))
            .map(words -> String.valueOf(Integer.parseInt(words[2], 16)))
            .collect(Collectors.joining(", "));
    nft(
        """
        table inet lost {
          chain out {
            type filter hook output priority -300;
            tcp dport %1$d tcp sport { %2$s } drop
            tcp sport %1$d tcp dport { %2$s } drop
          }
        }
        """
            .formatted(port, from));
  }

  /** Joins it with another by a cable; both ends are called {@code link}. */
  public void connect(TestNamespace other, String link, String address, String otherAddress) {
    ip("link", "add", link, "type", "veth", "peer", "name", link, "netns", other.name);
    ip("address", "add", address, "dev", link, "nodad");
    other.ip("address", "add", otherAddress, "dev", link, "nodad");
    ip("link", "set", link, "up");
    other.ip("link", "set", link, "up");
  }

  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(atExit);
    remove();
  }

  private void remove() {
    Command.run("ip", "netns", "delete", name);
  }

  private static void removeOrphans() {
    for (String line : Command.run("ip", "netns", "list").lines().toList()) {
      String[] parts = line.split("[ -]", -1);
      if (parts.length >= 3
          && parts[0].equals("pt")
          && parts[1].matches("[0-9]{1,9}")
          && ProcessHandle.of(Long.parseLong(parts[1])).isEmpty()) {
        removeOrphan(line.split(" ", -1)[0]);
      }
    }
  }

  private static void removeOrphan(String orphan) {
    try {
      Command.run("ip", "netns", "delete", orphan);
    } catch (IllegalStateException e) {
      // The tests of another process may remove it at the same moment.
      if (Files.exists(Path.of("/run/netns", orphan))) {
        throw e;
      }
    }
  }

  private static String[] join(String[] first, String[] second) {
    String[] all = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    return all;
  }
}

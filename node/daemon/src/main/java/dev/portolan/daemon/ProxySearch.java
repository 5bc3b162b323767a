package dev.portolan.daemon;

import dev.portolan.config.gates.Platform;
import dev.portolan.netlink.RunningProcess;
import dev.portolan.text.syntax.HostPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Finds a kube-proxy of Kubernetes in the network namespace of this process: by its process, where
 * that can be seen, which it cannot from inside a pod; else by the metrics that it serves.
 *
 * @param addresses where a kube-proxy may serve its metrics
 */
record ProxySearch(Path proc, Set<String> addresses) implements Supplier<Optional<String>> {
  /** Where it serves metrics by default. */
  static final String USUAL = "127.0.0.1:10249";

  private static final String NAME = "kube-proxy";
  private static final int TIMEOUT = (int) Duration.ofSeconds(1).toMillis();
  private static final int LONGEST = 4 << 20;

  /** A search on this machine, also behind {@code address}, where our own metrics are served. */
  static ProxySearch of(String address) {
    Set<String> addresses = new TreeSet<>(List.of(USUAL, address));
    return new ProxySearch(Path.of("/proc"), addresses);
  }

  @Override
  public Optional<String> get() {
    return process()
        .or(() ->
            addresses.stream()
                .filter(ProxySearch::isProxy)
                .findFirst()
                .map(address -> "the one that serves metrics on " + address));
  }

  private Optional<String> process() {
    return Platform.current() == Platform.WINDOWS ? processOfWindows() : processOfLinux();
  }

  private static Optional<String> processOfWindows() {
    return ProcessHandle.allProcesses()
        .filter(process ->
            process
                .info()
                .command()
                .map(command -> Path.of(command).getFileName().toString())
                .filter(name -> name.equalsIgnoreCase(NAME + ".exe"))
                .isPresent())
        .findFirst()
        .map(process -> NAME + ".exe (pid " + process.pid() + ")");
  }

  private Optional<String> processOfLinux() {
    try (Stream<Path> processes = Files.list(proc)) {
      return processes
          .filter(process -> process.getFileName().toString().matches("\\d+"))
          .filter(this::isProxy)
          .findFirst()
          .flatMap(
              process -> RunningProcess.ofThread(Long.parseLong(process.getFileName().toString())))
          .map(RunningProcess::toString);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Whether it is called kube-proxy, is in our network namespace, and is not a Portolan. */
  private boolean isProxy(Path process) {
    try {
      return Files.readString(process.resolve("comm")).strip().equals(NAME)
          && Files.readSymbolicLink(process.resolve("ns/net"))
              .equals(Files.readSymbolicLink(proc.resolve("self/ns/net")))
          && !Files.readSymbolicLink(process.resolve("exe")).endsWith("java");
    } catch (IOException e) {
      // It ended meanwhile, or is not ours to look at.
      return false;
    }
  }

  /** Whether metrics of a kube-proxy are served there; our own have others beside. */
  private static boolean isProxy(String address) {
    String page = page(address);
    return page.contains("\nkubeproxy_") && !page.contains("\nportolan_");
  }

  private static String page(String address) {
    Optional<HostPort> place = HostPort.split(address);
    if (place.isEmpty()) {
      return "";
    }
    String host = place.get().host();
    String reached = host.isEmpty() || host.equals("0.0.0.0") ? "127.0.0.1" : host;
    try (Socket socket = new Socket()) {
      socket.setSoTimeout(TIMEOUT);
      socket.connect(
          new InetSocketAddress(
              InetAddress.ofLiteral(reached.equals("::") ? "::1" : reached),
              Integer.parseInt(place.get().port())),
          TIMEOUT);
      socket
          .getOutputStream()
          .write(
              "GET /metrics HTTP/1.0\r\nHost: localhost\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readNBytes(LONGEST), StandardCharsets.ISO_8859_1);
    } catch (IOException | IllegalArgumentException e) {
      return "";
    }
  }
}

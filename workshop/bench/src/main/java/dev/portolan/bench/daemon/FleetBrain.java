package dev.portolan.bench.daemon;

import dev.portolan.api.transport.Address;
import dev.portolan.bench.kit.Checkout;
import dev.portolan.bench.kit.ProcessFigures;
import dev.portolan.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The program {@code portolan brain}, reading an API server and serving a port with certificates.
 */
public final class FleetBrain implements AutoCloseable {
  private static final long PATIENCE = TimeUnit.MINUTES.toNanos(2);
  private static final Pattern LISTENING = Pattern.compile("listening on (tcp://\\S+)");

  private final Process process;
  private final Path log;

  private FleetBrain(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /** Starts one with TLS; returns when it knows its cluster. */
  public static FleetBrain start(Path kubeconfig, Path folder)
      throws IOException, InterruptedException {
    TlsFiles files = certificate(folder, "brain");
    return start(
        kubeconfig,
        folder,
        "--listen=tcp://127.0.0.1:0",
        "--certificate-nodes",
        "--administrator=fleet",
        "--tls-key=" + files.key(),
        "--tls-crt=" + files.certificate(),
        "--tls-ca=" + files.ca());
  }

  /** Starts one with these options; returns when it knows its cluster. */
  public static FleetBrain start(Path kubeconfig, Path folder, String... options)
      throws IOException, InterruptedException {
    Path log = Files.createTempFile(folder, "brain", ".log");
    List<String> command =
        new ArrayList<>(
            List.of(Checkout.launcher().toString(), "brain", "--from=kube:" + kubeconfig));
    command.addAll(List.of(options));
    FleetBrain brain =
        new FleetBrain(
            new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start(),
            log);
    long end = System.nanoTime() + PATIENCE;
    while (!brain.says().contains("\nsynced:")) {
      if (!brain.process.isAlive() || System.nanoTime() > end) {
        throw new IllegalStateException("the brain does not get ready: " + brain.says());
      }
      TimeUnit.MILLISECONDS.sleep(100);
    }
    return brain;
  }

  /** A certificate of the authority in {@code folder}, which is made with the first. */
  public static TlsFiles certificate(Path folder, String name)
      throws IOException, InterruptedException {
    Path authority = folder.resolve("ca.crt");
    if (!Files.exists(authority)) {
      openssl(folder, "authority", "ca", List.of());
    }
    Path certificate = folder.resolve(name + ".crt");
    if (!Files.exists(certificate)) {
      openssl(
          folder,
          name,
          name,
          List.of("-CA", "ca.crt", "-CAkey", "ca.key", "-addext", "subjectAltName=IP:127.0.0.1"));
    }
    return new TlsFiles(folder.resolve(name + ".key"), certificate, authority);
  }

  private static void openssl(Path folder, String name, String file, List<String> more)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("openssl", "req", "-x509", "-newkey", "ec", "-nodes", "-days", "2"));
    command.addAll(List.of("-pkeyopt", "ec_paramgen_curve:prime256v1", "-subj", "/CN=" + name));
    command.addAll(List.of("-keyout", file + ".key", "-out", file + ".crt"));
    command.addAll(more);
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("openssl.log").toFile())
            .start();
    if (process.waitFor() != 0) {
      throw new IOException(Files.readString(folder.resolve("openssl.log")));
    }
  }

  /** Where it listens. */
  public Address address() throws IOException {
    Matcher listening = LISTENING.matcher(says());
    if (!listening.find()) {
      throw new IllegalStateException("the brain does not say where it listens: " + says());
    }
    return Address.parse(listening.group(1));
  }

  /** The port at which it listens. */
  public int port() throws IOException {
    return address() instanceof Address.Tcp tcp ? tcp.port() : 0;
  }

  /** What it uses. */
  public ProcessFigures figures() {
    return new ProcessFigures(process.pid());
  }

  private String says() throws IOException {
    return Files.readString(log);
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().orTimeout(1, TimeUnit.MINUTES).join();
  }
}

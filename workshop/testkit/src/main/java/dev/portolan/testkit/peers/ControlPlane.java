package dev.portolan.testkit.peers;

import dev.portolan.testbase.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * A real kube-apiserver with its etcd, on loopback, with nothing in it and no controller at work:
 * what the tests do not write is not there.
 */
public final class ControlPlane implements AutoCloseable {
  /** The token of the administrator. */
  private static final String ADMIN = "administrator";

  /** The token of the user that a kube-proxy is, with the rights that Kubernetes gives it. */
  private static final String PROXY = "proxy";

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final List<String> options;
  private final Path folder;
  private final int etcdPort = FreePort.next();
  private final int port = FreePort.next();
  private final Process etcd;
  private @Nullable Process server;
  private @Nullable HttpClient client;

  /**
   * Starts both; returns when the server is ready.
   *
   * @param options more options of the server
   */
  public ControlPlane(String... options) {
    this.options = List.of(options);
    try {
      folder = Files.createTempDirectory("control-plane");
      Files.writeString(folder.resolve("sa.key"), privateKey());
      Files.writeString(
          folder.resolve("tokens.csv"),
          ADMIN + ",admin,1,system:masters\n" + PROXY + ",system:kube-proxy,2\n");
      etcd = startEtcd();
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
    try {
      startServer();
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Where the server listens. */
  public URI address() {
    return URI.create("https://127.0.0.1:" + port);
  }

  /** The port that the server listens on. */
  public int port() {
    return port;
  }

  /** The certificate by which the server is known. */
  public Path certificate() {
    return folder.resolve("apiserver.crt");
  }

  /** The process of the API server, which must be running. */
  public long serverPid() {
    if (server == null) {
      throw new IllegalStateException("the API server is stopped");
    }
    return server.pid();
  }

  /** The token by which the server knows a kube-proxy. */
  public String proxyToken() {
    return PROXY;
  }

  /** A kubeconfig file for a kube-proxy. */
  public Path kubeconfig() {
    return kubeconfig("proxy.conf", "token: " + PROXY);
  }

  /** A kubeconfig file for an administrator. */
  public Path adminKubeconfig() {
    return kubeconfig("admin.conf", "token: " + ADMIN);
  }

  /** A kubeconfig file whose user has {@code credentials}, a line of YAML. */
  public Path kubeconfig(String name, String credentials) {
    String text =
        """
        apiVersion: v1
        kind: Config
        clusters:
        - name: test
          cluster:
            server: %s
            certificate-authority: %s
        users:
        - name: user
          user:
            %s
        contexts:
        - name: test
          context: {cluster: test, user: user}
        current-context: test
        """
            .formatted(address(), certificate(), credentials);
    try {
      return Files.writeString(folder.resolve(name), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends a request as administrator; returns the body of a good answer. */
  public String request(String method, String path, String body) {
    HttpResponse<String> response = send(method, path, body);
    if (response.statusCode() >= 300) {
      throw new IllegalStateException(
          method + " " + path + ": " + response.statusCode() + " " + response.body());
    }
    return response.body();
  }

  private HttpResponse<String> send(String method, String path, String body) {
    HttpRequest request =
        HttpRequest.newBuilder(address().resolve(path))
            .header("Authorization", "Bearer " + ADMIN)
            .header(
                "Content-Type",
                method.equals("PATCH") ? "application/merge-patch+json" : "application/json")
            .timeout(PATIENCE)
            .method(method, BodyPublishers.ofString(body))
            .build();
    try {
      return client().send(request, BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** Ends the API server as a crash would. */
  public void stopServer() {
    if (server != null) {
      end(server);
      server = null;
    }
  }

  /** Restarts the API server on the same port, with what is in etcd. */
  public void startServer() {
    stopServer();
    try {
      server =
          start(
              "kube-apiserver",
              options,
              "--etcd-servers=http://127.0.0.1:" + etcdPort,
              "--bind-address=127.0.0.1",
              "--secure-port=" + port,
              "--cert-dir=" + folder,
              "--service-cluster-ip-range=10.96.0.0/12,fd10:96::/112",
              "--service-account-issuer=https://portolan.test",
              "--service-account-key-file=" + folder.resolve("sa.key"),
              "--service-account-signing-key-file=" + folder.resolve("sa.key"),
              "--token-auth-file=" + folder.resolve("tokens.csv"),
              "--authorization-mode=RBAC",
              "--service-node-port-range=20000-32767",
              "--disable-admission-plugins=ServiceAccount",
              "--max-requests-inflight=2000",
              "--max-mutating-requests-inflight=1000");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    await(server);
  }

  /** Whether the server runs and answers. */
  public synchronized boolean isReady() {
    try {
      return Files.exists(certificate()) && send("GET", "/readyz", "").statusCode() == 200;
    } catch (UncheckedIOException | IllegalStateException e) {
      // Its certificate may have been read while it was being written.
      forgetClient();
      return false;
    }
  }

  /**
   * Forgets the history: clients that watch from an older version than now get an error that it is
   * gone.
   */
  public void compact() {
    try (HttpClient plain = HttpClient.newHttpClient()) {
      String header = post(plain, "/v3/kv/range", "{\"key\":\"" + base64("/registry/none") + "\"}");
      String revision = header.replaceFirst("(?s).*\"revision\":\"(\\d+)\".*", "$1");
      post(plain, "/v3/kv/compaction", "{\"revision\":\"" + revision + "\",\"physical\":true}");
    }
  }

  private String post(HttpClient plain, String path, String body) {
    URI target = URI.create("http://127.0.0.1:" + etcdPort + path);
    try {
      HttpResponse<String> response =
          plain.send(
              HttpRequest.newBuilder(target).POST(BodyPublishers.ofString(body)).build(),
              BodyHandlers.ofString());
      if (response.statusCode() != 200) {
        throw new IllegalStateException("etcd: " + response.body());
      }
      return response.body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private static String base64(String text) {
    return Base64.getEncoder()
        .encodeToString(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }

  /** Ends both and removes their files. */
  @Override
  public void close() {
    stopServer();
    end(etcd);
    forgetClient();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Process startEtcd() throws IOException {
    String url = "http://127.0.0.1:" + etcdPort;
    String peers = "http://127.0.0.1:" + FreePort.next();
    return start(
        "etcd",
        List.of(),
        "--data-dir=" + folder.resolve("etcd"),
        "--listen-client-urls=" + url,
        "--advertise-client-urls=" + url,
        "--listen-peer-urls=" + peers,
        "--initial-advertise-peer-urls=" + peers,
        "--initial-cluster=default=" + peers,
        "--unsafe-no-fsync");
  }

  private Process start(String name, List<String> more, String... options) throws IOException {
    List<String> command = new ArrayList<>(List.of(Peers.program(name).toString()));
    command.addAll(List.of(options));
    command.addAll(more);
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve(name + ".log").toFile()))
        .start();
  }

  private static void end(Process process) {
    process.destroyForcibly();
    process.onExit().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
  }

  private synchronized void forgetClient() {
    if (client != null) {
      client.shutdownNow();
      client = null;
    }
  }

  /** Trusts the certificate that the server made for itself. */
  private synchronized HttpClient client() {
    if (client == null) {
      try (var stream = Files.newInputStream(certificate())) {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        int number = 0;
        for (var one : CertificateFactory.getInstance("X.509").generateCertificates(stream)) {
          trusted.setCertificateEntry("certificate-" + number++, one);
        }
        TrustManagerFactory trust =
            TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        client = HttpClient.newBuilder().sslContext(context).build();
      } catch (IOException | GeneralSecurityException e) {
        throw new IllegalStateException(e);
      }
    }
    return client;
  }

  private void await(Process process) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!isReady()) {
      if (!process.isAlive() || System.nanoTime() > end) {
        throw new IllegalStateException("the API server did not get ready: " + log());
      }
      try {
        TimeUnit.MILLISECONDS.sleep(50);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted", e);
      }
    }
  }

  private String log() {
    try {
      List<String> lines = Files.readAllLines(folder.resolve("kube-apiserver.log"));
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 10), lines.size()));
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static String privateKey() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    byte[] key = generator.generateKeyPair().getPrivate().getEncoded();
    return "-----BEGIN PRIVATE KEY-----\n"
        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key)
        + "\n-----END PRIVATE KEY-----\n";
  }
}

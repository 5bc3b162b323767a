package dev.portolan.bench.floor;

import dev.portolan.netlink.NetworkNamespace;
import dev.portolan.testkit.peers.ControlPlane;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/**
 * The barest client of an API server: a socket, a request, and bytes that are thrown away.
 *
 * <p>It speaks HTTP/1.0, so that an answer comes without chunks and ends with the connection.
 */
public final class BareClient {
  private static final int BUFFER = 1 << 16;

  private final Connecting connecting;
  private final String token;

  private BareClient(Connecting connecting, String token) {
    this.connecting = connecting;
    this.token = token;
  }

  private interface Connecting {
    Socket open() throws IOException;
  }

  /** Talks to {@code plane} over TLS, as a kube-proxy does, and through the same door. */
  public static BareClient of(ControlPlane plane, NetworkNamespace namespace) {
    SSLSocketFactory secure = trusting(plane.certificate()).getSocketFactory();
    int port = plane.port();
    return new BareClient(
        () -> secure.createSocket(namespace.visit(() -> at(port)), "localhost", port, true),
        plane.proxyToken());
  }

  /** Talks to a port of this host without TLS. */
  static BareClient plain(int port) {
    return new BareClient(() -> at(port), "");
  }

  private static Socket at(int port) throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), port);
  }

  private static SSLContext trusting(Path certificate) {
    try (InputStream in = Files.newInputStream(certificate)) {
      Certificate server = CertificateFactory.getInstance("X.509").generateCertificate(in);
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      store.setCertificateEntry("server", server);
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private Socket ask(String path) throws IOException {
    Socket socket = connecting.open();
    OutputStream out = socket.getOutputStream();
    out.write(
        ("GET "
                + path
                + " HTTP/1.0\r\nHost: localhost\r\nAccept: application/vnd.kubernetes.protobuf\r\n"
                + "Accept-Encoding: gzip\r\nAuthorization: Bearer "
                + token
                + "\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII));
    out.flush();
    return socket;
  }

  /** Reads the answer to each path, all at once, and throws it away; returns the seconds. */
  public double read(List<String> paths) throws InterruptedException {
    long start = System.nanoTime();
    List<Thread> threads = new ArrayList<>();
    for (String path : paths) {
      threads.add(Thread.ofPlatform().start(() -> discard(path)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return (System.nanoTime() - start) / 1e9;
  }

  private void discard(String path) {
    byte[] buffer = new byte[BUFFER];
    try (Socket socket = ask(path)) {
      InputStream in = socket.getInputStream();
      while (in.read(buffer) >= 0) {
        // Thrown away.
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The body of the answer to {@code path}, as it was sent. */
  public byte[] body(String path) throws IOException {
    try (Socket socket = ask(path)) {
      byte[] all = socket.getInputStream().readAllBytes();
      String head = new String(all, 0, Math.min(all.length, BUFFER), StandardCharsets.ISO_8859_1);
      int end = head.indexOf("\r\n\r\n");
      if (!head.startsWith("HTTP/1.0 200") || end < 0) {
        throw new IOException("GET " + path + ": " + head.lines().findFirst().orElse("no answer"));
      }
      ByteArrayOutputStream body = new ByteArrayOutputStream(all.length);
      body.write(all, end + 4, all.length - end - 4);
      return body.toByteArray();
    }
  }

  /** An open watch whose events are told apart only by their arrival. */
  public final class Watch implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER];

    private Watch(String path) throws IOException {
      socket = ask(path);
      in = socket.getInputStream();
      drain();
    }

    /** Reads what is there already. */
    private void drain() throws IOException {
      socket.setSoTimeout(500);
      try {
        while (in.read(buffer) >= 0) {
          // What was there before.
        }
      } catch (SocketTimeoutException e) {
        // That was all.
      }
      socket.setSoTimeout(0);
    }

    /** The nanoseconds from the start of {@code write} to the event that it leads to. */
    public long await(Runnable write) throws IOException {
      long start = System.nanoTime();
      write.run();
      if (in.read(buffer) < 0) {
        throw new IOException("the watch has ended");
      }
      return System.nanoTime() - start;
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  /** Watches {@code path} from now on. */
  public Watch watch(String path) throws IOException {
    return new Watch(path);
  }
}

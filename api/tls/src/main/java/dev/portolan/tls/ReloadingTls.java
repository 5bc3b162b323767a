package dev.portolan.tls;

import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** The newest good content of {@link TlsFiles}, for handshakes. */
public final class ReloadingTls {
  /** How often the files are looked at, at most. */
  private static final long LOOK_EVERY = TimeUnit.SECONDS.toNanos(1);

  private final TlsFiles files;
  private final Consumer<String> log;
  private State state;
  private List<SmallFile.Stamp> stamps;
  private long lookedAt = System.nanoTime();

  /** What the files hold, as a whole. */
  private record State(Identity identity, X509ExtendedTrustManager trust) {}

  ReloadingTls(TlsFiles files, Consumer<String> log) throws TlsException {
    this.files = files;
    this.log = log;
    this.stamps = stamps();
    this.state = read();
  }

  /** Shows the newest certificate. */
  public X509ExtendedKeyManager keyManager() {
    return new NewestKey(() -> state().identity());
  }

  /** Believes whom the newest authorities signed. */
  public X509ExtendedTrustManager trustManager() {
    return new NewestTrust(() -> state().trust());
  }

  /** The newest good state. */
  private synchronized State state() {
    long now = System.nanoTime();
    if (now - lookedAt < LOOK_EVERY) {
      return state;
    }
    lookedAt = now;
    List<SmallFile.Stamp> seen = stamps();
    if (!seen.equals(stamps)) {
      stamps = seen;
      try {
        state = read();
      } catch (TlsException e) {
        log.accept(e.getMessage() + "; the previous content stays in use");
      }
    }
    return state;
  }

  private List<SmallFile.Stamp> stamps() {
    return Stream.of(files.key(), files.certificate(), files.ca()).map(SmallFile::stamp).toList();
  }

  private State read() throws TlsException {
    PrivateKey key = read(files.key(), Pem::privateKey);
    Identity identity = new Identity(read(files.certificate(), Pem::certificates), key);
    if (!identity.fits()) {
      throw new TlsException(
          files.key()
              + ": this key does not match the certificate in "
              + files.certificate()
              + "; use a key and a certificate that belong together",
          null);
    }
    Expiry.of(identity)
        .ifPresent(end ->
            log.accept(
                files.certificate() + ": this certificate expired on " + end + "; renew it"));
    return new State(identity, read(files.ca(), Authorities::trusted));
  }

  private interface Reading<T> {
    T of(byte[] content) throws GeneralSecurityException;
  }

  private static <T> T read(Path file, Reading<T> reading) throws TlsException {
    try {
      return reading.of(SmallFile.read(file));
    } catch (GeneralSecurityException e) {
      throw new TlsException(file + ": " + e.getMessage(), e);
    }
  }
}

package dev.portolan.api.transport;

import dev.portolan.tls.Pem;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** The newest good content of {@link TlsFiles}. */
final class TlsMaterial {
  private static final long LARGEST = 1 << 20;

  /** How often the files are looked at, at most. */
  private static final long LOOK_EVERY = TimeUnit.SECONDS.toNanos(1);

  private final TlsFiles files;
  private final Consumer<String> log;
  private State state;
  private List<Looks> looks;
  private long lookedAt = System.nanoTime();

  /** What the files hold, as a whole; each has another number. */
  record State(
      int number, List<X509Certificate> chain, PrivateKey key, X509ExtendedTrustManager trust) {}

  /** What can be seen of a file without reading it. */
  private record Looks(@Nullable Object modified, long size, @Nullable Object file) {}

  private TlsMaterial(TlsFiles files, Consumer<String> log) throws TlsException {
    this.files = files;
    this.log = log;
    this.looks = looks();
    this.state = read(1);
  }

  /** Reads the files, which must be good at first. */
  static TlsMaterial load(TlsFiles files, Consumer<String> log) throws TlsException {
    return new TlsMaterial(files, log);
  }

  /** Shows the newest certificate. */
  X509ExtendedKeyManager keyManager() {
    return new NewestKey(this);
  }

  /** Trusts certificates signed by the newest authorities. */
  X509ExtendedTrustManager trustManager() {
    return new NewestTrust(this);
  }

  /** The newest good state. */
  synchronized State state() {
    long now = System.nanoTime();
    if (now - lookedAt < LOOK_EVERY) {
      return state;
    }
    lookedAt = now;
    List<Looks> seen = looks();
    if (!seen.equals(looks)) {
      looks = seen;
      try {
        state = read(state.number() + 1);
      } catch (TlsException e) {
        log.accept(e.getMessage() + "; the previous content stays in use");
      }
    }
    return state;
  }

  private List<Looks> looks() {
    return List.of(looks(files.key()), looks(files.certificate()), looks(files.ca()));
  }

  private static Looks looks(Path file) {
    try {
      BasicFileAttributes seen = Files.readAttributes(file, BasicFileAttributes.class);
      return new Looks(seen.lastModifiedTime(), seen.size(), seen.fileKey());
    } catch (IOException e) {
      return new Looks(null, -1, null);
    }
  }

  private State read(int number) throws TlsException {
    PrivateKey key = read(files.key(), Pem::privateKey);
    List<X509Certificate> chain = read(files.certificate(), Pem::certificates);
    if (!fits(key, chain.getFirst())) {
      throw new TlsException(
          files.key()
              + ": this key does not match the certificate in "
              + files.certificate()
              + "; use a key and a certificate that belong together",
          null);
    }
    X509ExtendedTrustManager trust = read(files.ca(), content -> trust(Pem.certificates(content)));
    return new State(number, chain, key, trust);
  }

  private interface Reading<T> {
    T of(byte[] content) throws GeneralSecurityException, IOException;
  }

  private static <T> T read(Path file, Reading<T> reading) throws TlsException {
    try {
      if (Files.isDirectory(file)) {
        throw new IOException("it is a folder");
      }
      if (Files.size(file) > LARGEST) {
        throw new IOException("it is larger than 1 MB");
      }
      return reading.of(Files.readAllBytes(file));
    } catch (NoSuchFileException e) {
      throw new TlsException(file + ": no such file", e);
    } catch (AccessDeniedException e) {
      throw new TlsException(file + ": permission denied", e);
    } catch (IOException | GeneralSecurityException e) {
      throw new TlsException(file + ": " + e.getMessage(), e);
    }
  }

  private static X509ExtendedTrustManager trust(List<X509Certificate> authorities)
      throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    for (X509Certificate authority : authorities) {
      store.setCertificateEntry("authority-" + store.size(), authority);
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    for (TrustManager manager : factory.getTrustManagers()) {
      if (manager instanceof X509ExtendedTrustManager found) {
        return found;
      }
    }
    throw new GeneralSecurityException("this Java cannot check certificates");
  }

  /** Whether what {@code key} signs is what {@code certificate} vouches for. */
  private static boolean fits(PrivateKey key, X509Certificate certificate) {
    String algorithm =
        switch (key.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> key.getAlgorithm();
        };
    byte[] text = {1, 2, 3};
    try {
      Signature signature = Signature.getInstance(algorithm);
      signature.initSign(key);
      signature.update(text);
      byte[] signed = signature.sign();
      signature.initVerify(certificate.getPublicKey());
      signature.update(text);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}

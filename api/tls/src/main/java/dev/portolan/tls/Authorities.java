package dev.portolan.tls;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/** The authorities whose signature a peer must have. */
public final class Authorities {
  private Authorities() {}

  /** Trusts peers that the authorities in {@code pem} signed, and no others. */
  public static X509ExtendedTrustManager trusted(byte[] pem) throws GeneralSecurityException {
    KeyStore store = empty();
    for (X509Certificate authority : Pem.certificates(pem)) {
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

  private static KeyStore empty() throws GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    try {
      store.load(null, null);
    } catch (IOException e) {
      throw new IllegalStateException("nothing is read", e);
    }
    return store;
  }
}

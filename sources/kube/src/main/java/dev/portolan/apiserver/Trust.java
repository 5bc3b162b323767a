package dev.portolan.apiserver;

import dev.portolan.tls.Authorities;
import dev.portolan.tls.Identity;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Which server is believed to be the one that is meant.
 *
 * @param authority who must have signed its certificate; the system's authorities where absent
 * @param isInsecure whether any certificate will do
 * @param serverName the name that the certificate must have, in place of the host's
 */
record Trust(Optional<Material> authority, boolean isInsecure, Optional<String> serverName) {
  /** The authorities of the system. */
  static final Trust SYSTEM = new Trust(Optional.empty(), false, Optional.empty());

  /**
   * Java makes a key for one curve of each kind before it knows what the server wants, and for
   * those of the other kind that takes a tenth of a second until the code is compiled.
   */
  private static final String[] CHEAP_KEY_EXCHANGE = {"x25519"};

  /** The certificates of the authority as they are now; empty for the system's. */
  byte[] authorityBytes() throws ApiException {
    return authority.isPresent() && !isInsecure ? authority.get().content() : new byte[0];
  }

  /**
   * Makes connections that trust so.
   *
   * @param authorityBytes what {@link #authorityBytes} said
   * @param identity what the client shows of itself
   * @param allKeyExchanges whether to offer those too that few servers insist on
   */
  SSLContext context(byte[] authorityBytes, Optional<Identity> identity, boolean allKeyExchanges)
      throws ApiException {
    KeyManager[] keys =
        identity.map(shown -> new KeyManager[] {shown.keyManager()}).orElse(new KeyManager[0]);
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys, managers(authorityBytes), null);
      return new AdjustedContext(
          context,
          serverName,
          parameters -> {
            serverName.ifPresent(name -> parameters.setServerNames(List.of(new SNIHostName(name))));
            if (!allKeyExchanges) {
              parameters.setNamedGroups(CHEAP_KEY_EXCHANGE);
            }
          });
    } catch (CertificateException e) {
      String origin = authority.map(Material::describe).orElse("");
      throw new ApiException(origin + ": " + e.getMessage(), e);
    } catch (GeneralSecurityException e) {
      throw new ApiException("this Java cannot do TLS: " + e.getMessage(), e);
    }
  }

  private TrustManager @Nullable [] managers(byte[] authorityBytes)
      throws GeneralSecurityException {
    if (isInsecure) {
      return new TrustManager[] {new Anybody()};
    }
    if (authority.isEmpty()) {
      return null;
    }
    return new TrustManager[] {Authorities.trusted(authorityBytes)};
  }

  /** Believes every certificate, whatever name it has; Java adds no check to one of this type. */
  private static final class Anybody extends X509ExtendedTrustManager {
    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}

package dev.portolan.apiserver;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.portolan.tls.Identity;
import java.security.InvalidKeyException;
import java.security.cert.CertificateException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Static credentials: a token or a password, a certificate and its key. */
final class StoredCredentials implements Credentials {
  private final Optional<Secret> secret;
  private final Optional<CertificateFiles> certificate;

  /** Makes the value of the header from what is stored. */
  private record Secret(Material material, boolean isToken) {}

  /** A certificate and its key, parsed again when their bytes change. */
  private static final class CertificateFiles {
    private final Material certificate;
    private final Material key;
    private byte[] certificateBytes = {};
    private byte[] keyBytes = {};
    private @Nullable Identity parsed;

    CertificateFiles(Material certificate, Material key) {
      this.certificate = certificate;
      this.key = key;
    }

    synchronized Identity identity(boolean again) throws ApiException {
      byte[] newCertificate = again ? certificate.reread() : certificate.content();
      byte[] newKey = again ? key.reread() : key.content();
      Identity last = parsed;
      if (last != null
          && Arrays.equals(newCertificate, certificateBytes)
          && Arrays.equals(newKey, keyBytes)) {
        return last;
      }
      try {
        Identity identity = Identity.parse(newCertificate, newKey);
        certificateBytes = newCertificate;
        keyBytes = newKey;
        parsed = identity;
        return identity;
      } catch (CertificateException e) {
        throw new ApiException(certificate.describe() + ": " + e.getMessage(), e);
      } catch (InvalidKeyException e) {
        throw new ApiException(key.describe() + ": " + e.getMessage(), e);
      }
    }
  }

  private StoredCredentials(Optional<Secret> secret, Optional<CertificateFiles> certificate) {
    this.secret = secret;
    this.certificate = certificate;
  }

  /** No credentials yet. */
  static StoredCredentials none() {
    return new StoredCredentials(Optional.empty(), Optional.empty());
  }

  /** A bearer token. */
  StoredCredentials withToken(Material token) {
    return new StoredCredentials(Optional.of(new Secret(token, true)), certificate);
  }

  /** A name and a password. */
  StoredCredentials withPassword(String name, String password) {
    String basic =
        "Basic " + Base64.getEncoder().encodeToString((name + ":" + password).getBytes(UTF_8));
    return new StoredCredentials(
        Optional.of(new Secret(Material.of(basic.getBytes(UTF_8)), false)), certificate);
  }

  /** A client certificate. */
  StoredCredentials withCertificate(Material chain, Material key) {
    return new StoredCredentials(secret, Optional.of(new CertificateFiles(chain, key)));
  }

  @Override
  public Login login() throws ApiException {
    return login(false);
  }

  @Override
  public Login renew(Login refused) throws ApiException {
    return login(true);
  }

  private Login login(boolean again) throws ApiException {
    return new Login(
        secret.isPresent() ? Optional.of(authorization(secret.get(), again)) : Optional.empty(),
        certificate.isPresent()
            ? Optional.of(certificate.get().identity(again))
            : Optional.empty());
  }

  private static String authorization(Secret secret, boolean again) throws ApiException {
    Material material = secret.material;
    String text = new String(again ? material.reread() : material.content(), UTF_8).strip();
    return secret.isToken ? bearer(text, material.describe()) : text;
  }

  /** The header's value for {@code token}, which comes from {@code origin}. */
  static String bearer(String token, String origin) throws ApiException {
    if (token.isEmpty()) {
      throw new ApiException(origin + ": is empty, but must contain a token");
    }
    if (token.chars().anyMatch(c -> c <= ' ' || c > '~')) {
      throw new ApiException(origin + ": contains a character that is not valid in a token");
    }
    return "Bearer " + token;
  }
}

package dev.portolan.tls;

import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * A certificate by which a program shows who it is, and the key for it; equal where the two are.
 */
public record Identity(List<X509Certificate> chain, PrivateKey key) {
  /** Reads both from PEM. */
  public static Identity parse(byte[] certificate, byte[] key)
      throws CertificateException, InvalidKeyException {
    return new Identity(Pem.certificates(certificate), Pem.privateKey(key));
  }

  /** Shows the certificate to every peer that asks for one. */
  public X509ExtendedKeyManager keyManager() {
    return new NewestKey(() -> this);
  }

  /** Whether what the key signs is what the certificate vouches for. */
  boolean fits() {
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
      signature.initVerify(chain.getFirst().getPublicKey());
      signature.update(text);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  @Override
  public String toString() {
    return "certificate of " + chain.getFirst().getSubjectX500Principal();
  }
}

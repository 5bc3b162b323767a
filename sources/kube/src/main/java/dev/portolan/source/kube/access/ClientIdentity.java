package dev.portolan.source.kube.access;

import dev.portolan.tls.Pem;
import java.net.Socket;
import java.security.InvalidKeyException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/** A certificate by which a client shows who it is, and the key for it; equal where the two are. */
record ClientIdentity(List<X509Certificate> chain, PrivateKey key) {
  /** Reads both from PEM. */
  static ClientIdentity parse(byte[] certificate, byte[] key)
      throws CertificateException, InvalidKeyException {
    return new ClientIdentity(Pem.certificates(certificate), Pem.privateKey(key));
  }

  /** Shows the certificate to every server that asks for one. */
  X509ExtendedKeyManager keyManager() {
    return new OneKey(this);
  }

  @Override
  public String toString() {
    return "certificate of " + chain.getFirst().getSubjectX500Principal();
  }

  private static final class OneKey extends X509ExtendedKeyManager {
    private static final String ALIAS = "client";

    private final X509Certificate[] chain;
    private final PrivateKey key;

    OneKey(ClientIdentity identity) {
      this.chain = identity.chain.toArray(X509Certificate[]::new);
      this.key = identity.key;
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
        String[] keyTypes, Principal @Nullable [] issuers, SSLEngine engine) {
      return Arrays.asList(keyTypes).contains(chain[0].getPublicKey().getAlgorithm())
          ? ALIAS
          : null;
    }

    @Override
    public @Nullable String chooseClientAlias(
        String[] keyTypes, Principal @Nullable [] issuers, Socket socket) {
      return null;
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
      return chain.clone();
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
      return key;
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
      return null;
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
      return null;
    }

    @Override
    public @Nullable String chooseServerAlias(
        String keyType, Principal @Nullable [] issuers, Socket socket) {
      return null;
    }
  }
}

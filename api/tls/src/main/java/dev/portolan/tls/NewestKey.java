package dev.portolan.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Shows the newest certificate.
 *
 * <p>A handshake asks three times: for an alias, its certificate and its key. Each identity has an
 * alias of its own, and the last few are kept, so that one handshake never sees two identities.
 */
final class NewestKey extends X509ExtendedKeyManager {
  private static final int KEPT = 4;

  private final Supplier<Identity> newest;
  private final NavigableMap<Integer, Identity> shown = new TreeMap<>();

  NewestKey(Supplier<Identity> newest) {
    this.newest = newest;
  }

  private synchronized @Nullable String choose(String... keyTypes) {
    Identity identity = newest.get();
    String algorithm = identity.chain().getFirst().getPublicKey().getAlgorithm();
    if (!Arrays.asList(keyTypes).contains(algorithm)) {
      return null;
    }
    int number = shown.isEmpty() ? 0 : shown.lastKey();
    if (!identity.equals(shown.get(number))) {
      shown.put(++number, identity);
    }
    if (shown.size() > KEPT) {
      shown.remove(shown.firstKey());
    }
    return String.valueOf(number);
  }

  private synchronized @Nullable Identity identity(String alias) {
    return shown.get(Integer.valueOf(alias));
  }

  @Override
  public @Nullable String chooseEngineClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, SSLEngine engine) {
    return choose(keyTypes);
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
    return choose(keyType);
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, Socket socket) {
    return choose(keyTypes);
  }

  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, Socket socket) {
    return choose(keyType);
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(String alias) {
    Identity identity = identity(alias);
    return identity == null ? null : identity.chain().toArray(X509Certificate[]::new);
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(String alias) {
    Identity identity = identity(alias);
    return identity == null ? null : identity.key();
  }

  @Override
  public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return null;
  }

  @Override
  public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    return null;
  }
}

package dev.portolan.api.transport;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Shows the newest certificate.
 *
 * <p>A handshake asks three times: for an alias, its certificate and its key. Each state has an
 * alias of its own, and the last few are kept, so that one handshake never sees two states.
 */
final class NewestKey extends X509ExtendedKeyManager {
  private static final int KEPT = 4;

  private final TlsMaterial material;
  private final SortedMap<Integer, TlsMaterial.State> states = new TreeMap<>();

  NewestKey(TlsMaterial material) {
    this.material = material;
  }

  private synchronized @Nullable String choose(String... keyTypes) {
    TlsMaterial.State state = material.state();
    String algorithm = state.chain().getFirst().getPublicKey().getAlgorithm();
    if (!Arrays.asList(keyTypes).contains(algorithm)) {
      return null;
    }
    states.put(state.number(), state);
    if (states.size() > KEPT) {
      states.remove(states.firstKey());
    }
    return String.valueOf(state.number());
  }

  private synchronized TlsMaterial.@Nullable State state(String alias) {
    return states.get(Integer.valueOf(alias));
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
    TlsMaterial.State state = state(alias);
    return state == null ? null : state.chain().toArray(X509Certificate[]::new);
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(String alias) {
    TlsMaterial.State state = state(alias);
    return state == null ? null : state.key();
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

package dev.portolan.source.kube.access;

import java.util.Optional;

/**
 * What a request authenticates with.
 *
 * @param authorization the value of the header
 * @param identity the certificate of the connection
 */
record Login(Optional<String> authorization, Optional<ClientIdentity> identity) {
  static final Login NONE = new Login(Optional.empty(), Optional.empty());

  @Override
  public String toString() {
    return "Login";
  }
}

package dev.portolan.apiserver;

import dev.portolan.tls.Identity;
import java.util.Optional;

/**
 * What a request authenticates with.
 *
 * @param authorization the value of the header
 * @param identity the certificate of the connection
 */
record Login(Optional<String> authorization, Optional<Identity> identity) {
  static final Login NONE = new Login(Optional.empty(), Optional.empty());

  @Override
  public String toString() {
    return "Login";
  }
}

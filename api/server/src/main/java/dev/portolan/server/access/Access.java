package dev.portolan.server.access;

import java.util.Set;

/**
 * Access rules.
 *
 * @param uids users that may connect to a unix socket, beside root and the server's own
 * @param gids groups that may connect to a unix socket
 * @param ownGroup whether the server's own group may too
 * @param certificateNodes whether a certificate's name decides: {@code system:node:NAME} may watch
 *     that node only, an administrator everything, and any other name nothing
 * @param administrators names of certificates that may do everything
 * @param insecureLoopback whether a port of this machine alone may do without certificates
 */
public record Access(
    Set<Integer> uids,
    Set<Integer> gids,
    boolean ownGroup,
    boolean certificateNodes,
    Set<String> administrators,
    boolean insecureLoopback) {
  /** Root and the server's own user and group; on a port any client with a valid certificate. */
  public static final Access DEFAULT = new Access(Set.of(), Set.of(), true, false, Set.of(), false);

  /** Root and the server's own user alone. */
  public static final Access OWN_USER =
      new Access(Set.of(), Set.of(), false, false, Set.of(), false);

  public Access {
    uids = Set.copyOf(uids);
    gids = Set.copyOf(gids);
    administrators = Set.copyOf(administrators);
  }

  /** The same, with certificates that may act for one node only, and {@code administrators}. */
  public Access withCertificateNodes(Set<String> administrators) {
    return new Access(uids, gids, ownGroup, true, administrators, insecureLoopback);
  }

  /** The same, with plain text on the loopback interface allowed. */
  public Access withInsecureLoopback() {
    return new Access(uids, gids, ownGroup, certificateNodes, administrators, true);
  }
}

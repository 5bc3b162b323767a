package dev.portolan.server;

import java.time.Instant;
import java.util.Optional;

/**
 * One client, and how far it has come.
 *
 * @param node what it watches; empty for one that watches the cluster
 * @param client what it calls itself; empty where it does not say
 * @param peer where it connects from
 * @param revision the newest one of the node
 * @param sent the newest revision that went out to the client
 * @param applied the newest revision that the client says it has applied; 0 where it says nothing
 * @param reports whether the client reports at all
 * @param changed when the newest revision was made
 * @param appliedAt when the client last said that it had applied one
 * @param behindSince since when it is behind the newest revision: the last one applied where it
 *     reports, else the last one sent
 * @param audit what its last audit found; empty where it has made none, or says nothing
 * @param error why it could not apply a newer one, or why it was ended; empty where nothing failed
 */
public record ClientStatus(
    String node,
    String client,
    String peer,
    boolean connected,
    long revision,
    long sent,
    long applied,
    boolean reports,
    Optional<Instant> changed,
    Optional<Instant> appliedAt,
    Optional<Instant> behindSince,
    Optional<AuditReport> audit,
    String error) {
  /**
   * That a client compared the kernel with what it had applied.
   *
   * @param at when, by the client's clock
   * @param differences how many objects were not as written
   */
  public record AuditReport(Instant at, long differences) {}
}

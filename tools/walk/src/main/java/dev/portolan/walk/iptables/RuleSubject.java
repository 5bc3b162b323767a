package dev.portolan.walk.iptables;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import java.util.Optional;

/**
 * Which packets a rule concerns, as far as that is one destination.
 *
 * @param destination the only address that it matches
 * @param port the only destination port that it matches; 0 if it does not name one
 * @param local whether it matches destinations of this host only
 * @param comment its comment, without quotes
 */
record RuleSubject(
    Optional<Ip> destination,
    int port,
    Optional<Protocol> protocol,
    boolean local,
    String comment) {}

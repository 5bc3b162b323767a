/**
 * Serves TCP nodePorts on localhost in mode nftables: no rule can send a packet for 127.0.0.1 or
 * ::1 elsewhere, so the daemon listens there and passes bytes on.
 */
@NullMarked
package dev.portolan.localhost;

import org.jspecify.annotations.NullMarked;

/**
 * A node's services as sockets of this process: it accepts connections, chooses endpoints, and
 * copies bytes both ways.
 *
 * <p>The backend opens portals, {@link dev.portolan.backend.userspace.Portal}, and rules or the
 * addresses of this machine lead clients to them. Nothing here decides which endpoints may be used.
 */
@NullMarked
package dev.portolan.backend.userspace;

import org.jspecify.annotations.NullMarked;

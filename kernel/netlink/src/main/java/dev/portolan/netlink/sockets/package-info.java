/**
 * sock_diag: the sockets of TCP and UDP in a network namespace, listed and ended.
 *
 * <p>Which sockets ought to end is decided elsewhere.
 */
@NullMarked
package dev.portolan.netlink.sockets;

import org.jspecify.annotations.NullMarked;

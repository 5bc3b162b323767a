/**
 * ctnetlink: the flows that the kernel tracks, read by a filter and deleted.
 *
 * <p>Which flows ought to go is decided elsewhere.
 */
@NullMarked
package dev.portolan.netlink.conntrack;

import org.jspecify.annotations.NullMarked;

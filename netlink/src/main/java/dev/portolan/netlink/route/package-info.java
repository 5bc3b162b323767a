/**
 * rtnetlink: the interfaces of a node, their addresses, and notices when these change. It reads,
 * and can remove an interface.
 */
@NullMarked
package dev.portolan.netlink.route;

import org.jspecify.annotations.NullMarked;

/**
 * rtnetlink: the interfaces of a node, their addresses, and notices when these change. It reads,
 * makes and removes an interface for addresses, and adds and removes these.
 */
@NullMarked
package dev.portolan.netlink.route;

import org.jspecify.annotations.NullMarked;

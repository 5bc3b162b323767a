/** ipset over netlink: as much as it takes to see the sets of a node and to destroy them. */
@NullMarked
package dev.portolan.netlink.ipset;

import org.jspecify.annotations.NullMarked;

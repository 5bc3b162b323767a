/**
 * IPVS over generic netlink: as much as it takes to see the virtual services of a node and to
 * remove them.
 */
@NullMarked
package dev.portolan.netlink.ipvs;

import org.jspecify.annotations.NullMarked;

/**
 * Virtual servers of IPVS with the rules beside them, and the way of a packet through both.
 *
 * <p>The rules come from {@code walk.iptables}, or from others that can be asked at each hook.
 */
@NullMarked
package dev.portolan.walk.ipvs;

import org.jspecify.annotations.NullMarked;

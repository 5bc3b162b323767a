/**
 * Finds and removes what a kube-proxy left on this node, in whichever mode it ran. What is not
 * recognizably kube-proxy's stays.
 *
 * <p>Everything goes over netlink, except the legacy tables of iptables: those need iptables' own
 * programs, which are started only where the kernel says that such tables are in use.
 */
@NullMarked
package dev.portolan.takeover;

import org.jspecify.annotations.NullMarked;

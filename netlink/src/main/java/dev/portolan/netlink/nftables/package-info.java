/**
 * nf_tables over netlink: transactions of tables, chains, rules, sets and elements, and reading
 * them back.
 *
 * <p>It speaks of what the kernel has; what a service needs of it is the backend's business.
 */
@NullMarked
package dev.portolan.netlink.nftables;

import org.jspecify.annotations.NullMarked;

/**
 * nf_tables over netlink: transactions of tables, chains, rules, sets and elements, and reading
 * them back.
 *
 * <p>It uses the kernel's terms; how services map to them is up to the backend.
 */
@NullMarked
package dev.portolan.nftables;

import org.jspecify.annotations.NullMarked;

/**
 * Tables of nf_tables as values: chains, rules and sets that can be compared with a kernel's,
 * written to it in one transaction, and printed as nft does.
 *
 * <p>{@link Tables} keeps the tables of a backend; what is in them is for the backend to say, with
 * a {@link TableState}.
 */
@NullMarked
package dev.portolan.nftables.table;

import org.jspecify.annotations.NullMarked;

/**
 * Tables of nftables, decoded: their rules as expressions and as text, their sets with an index.
 */
@NullMarked
package dev.portolan.walk.nft.table;

import org.jspecify.annotations.NullMarked;

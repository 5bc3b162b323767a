/**
 * The rules of nftables as the kernel has them, and its register machine: expressions are decoded,
 * and obeyed in the order and with the meaning that the kernel gives them.
 */
@NullMarked
package dev.portolan.walk.nft;

import org.jspecify.annotations.NullMarked;

/** Real packets, as the kernel itself says which rules they meet. */
@NullMarked
package dev.portolan.walk.nft.live;

import org.jspecify.annotations.NullMarked;

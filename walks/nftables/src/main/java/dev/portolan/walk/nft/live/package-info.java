/** Real packets, traced by the kernel on their way through the rules. */
@NullMarked
package dev.portolan.walk.nft.live;

import org.jspecify.annotations.NullMarked;

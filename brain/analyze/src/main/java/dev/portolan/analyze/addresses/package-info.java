/** Checks of addresses, ports and nodes. */
@NullMarked
package dev.portolan.analyze.addresses;

import org.jspecify.annotations.NullMarked;

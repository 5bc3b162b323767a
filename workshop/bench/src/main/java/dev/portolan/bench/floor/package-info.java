/** What the machine allows: the same bytes and the same kernel, with next to no program between. */
@NullMarked
package dev.portolan.bench.floor;

import org.jspecify.annotations.NullMarked;

/** Tests of the house as a whole. */
@NullMarked
package dev.portolan.house;

import org.jspecify.annotations.NullMarked;

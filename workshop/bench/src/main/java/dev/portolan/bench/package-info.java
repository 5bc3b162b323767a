/** Measurements, run by hand and never by the tests. */
@NullMarked
package dev.portolan.bench;

import org.jspecify.annotations.NullMarked;

/** What every measurement needs: clusters to measure with, samples, and the table of figures. */
@NullMarked
package dev.portolan.bench.kit;

import org.jspecify.annotations.NullMarked;

/** Checks of endpoints, of the Pods behind them, and of topology. */
@NullMarked
package dev.portolan.analyze.endpoints;

import org.jspecify.annotations.NullMarked;

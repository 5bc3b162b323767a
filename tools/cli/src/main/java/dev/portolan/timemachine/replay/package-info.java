/**
 * A recording decided again: as a timeline of one node, and as the history of one service.
 *
 * <p>What decides takes events and knows neither files nor the terminal; what prints decides
 * nothing.
 */
@NullMarked
package dev.portolan.timemachine.replay;

import org.jspecify.annotations.NullMarked;

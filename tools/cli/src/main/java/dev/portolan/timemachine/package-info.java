/** The commands that ask about another time or state: record, replay, history, diff, whatif. */
@NullMarked
package dev.portolan.timemachine;

import org.jspecify.annotations.NullMarked;

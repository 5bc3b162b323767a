/**
 * The commands that ask about another time or another state: record, replay, history, diff, whatif,
 * audit, analyze, trace.
 */
@NullMarked
package dev.portolan.timemachine;

import org.jspecify.annotations.NullMarked;

/**
 * The commands, one class each, with the few classes that only they need.
 *
 * <p>A command reads its options, gets a value and shows it; what two commands share lives in
 * options, decision or the module terminal.
 */
@NullMarked
package dev.portolan.cli.command;

import org.jspecify.annotations.NullMarked;

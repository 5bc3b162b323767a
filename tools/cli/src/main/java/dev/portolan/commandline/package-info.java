/**
 * How a command line is read, whatever the commands: mistakes in our words, help, completion.
 *
 * <p>It knows picocli, and no command.
 */
@NullMarked
package dev.portolan.commandline;

import org.jspecify.annotations.NullMarked;

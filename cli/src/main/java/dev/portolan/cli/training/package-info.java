/**
 * What the build runs to make the AOT cache, so that every command and the daemon start fast. No
 * command uses it.
 */
@NullMarked
package dev.portolan.cli.training;

import org.jspecify.annotations.NullMarked;

/**
 * What people see, whatever the command: a terminal and its colours, tables, trees as YAML or JSON,
 * remarks, and the failure that ends a command.
 *
 * <p>No option and no command lives here, and nothing that fetches what is shown.
 */
@NullMarked
package dev.portolan.terminal;

import org.jspecify.annotations.NullMarked;

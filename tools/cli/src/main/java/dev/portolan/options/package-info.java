/**
 * Groups of options that several commands share, and what they open: a source, a connection, a
 * backend, a configuration file.
 *
 * <p>Options check themselves and know no command; nothing here prints a result.
 */
@NullMarked
package dev.portolan.options;

import org.jspecify.annotations.NullMarked;

/**
 * The fields of a configuration: names, types and defaults in both versions ({@code fields.table}),
 * values by path, conversion between the versions, and the records that the program reads.
 *
 * <p>Neither the text of a file nor a command line belongs here, and a value is not judged: see the
 * packages {@code file}, {@code flags} and {@code validation}.
 */
@NullMarked
package dev.portolan.config.fields;

import org.jspecify.annotations.NullMarked;

/**
 * Findings about a configuration: each with its severity, field and position, and the exception
 * that carries the errors.
 *
 * <p>Everything that reads or checks a configuration reports in these types. They know no field,
 * flag or gate.
 */
@NullMarked
package dev.portolan.config.finding;

import org.jspecify.annotations.NullMarked;

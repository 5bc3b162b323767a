/**
 * Texts that people and programs write: YAML and JSON as values with places, sentences that name
 * these places, durations as Go spells them, names that were misspelt, folders that are watched.
 *
 * <p>What is written back, JSON and quotes, is {@code core.text}: core itself needs it, and has no
 * dependencies.
 */
@NullMarked
package dev.portolan.text;

import org.jspecify.annotations.NullMarked;

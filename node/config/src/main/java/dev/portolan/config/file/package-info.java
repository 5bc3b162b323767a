/**
 * Configuration files: text to settings, with the position of each field, and settings to text.
 *
 * <p>{@link dev.portolan.config.file.ConfigFile} is the way in. Reading checks names and types;
 * what a value may be is the matter of the package {@code validation}.
 */
@NullMarked
package dev.portolan.config.file;

import org.jspecify.annotations.NullMarked;

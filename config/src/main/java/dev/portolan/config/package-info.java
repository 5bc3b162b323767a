/**
 * The configuration of the proxy: files of both versions, conversion, validation, feature gates,
 * flags.
 *
 * <p>{@link ConfigFile} is the door for files. What a field is called, its type and its defaults
 * are rows of {@code fields.table}; {@link Settings} hold values by path in one version; {@link
 * ProxyConfiguration} is what the rest of the program reads. {@link Start} turns a command line
 * into a {@link StartPlan}, and {@link ConfigWatch} tells when the file of a plan makes another
 * one.
 */
@NullMarked
package dev.portolan.config;

import org.jspecify.annotations.NullMarked;

/**
 * What is wrong, questionable or about to be retired in a configuration.
 *
 * <p>{@link dev.portolan.config.validation.Validator} says all of it. Checks read settings and
 * report findings under the names of the user's version; they know neither files nor flags.
 */
@NullMarked
package dev.portolan.config.validation;

import org.jspecify.annotations.NullMarked;

/**
 * What a user picks out of a result, in kubectl's languages: JSONPath, custom columns, label
 * selectors.
 *
 * <p>They read the trees that {@code -o json} prints, and know nothing of what is in them.
 */
@NullMarked
package dev.portolan.terminal.query;

import org.jspecify.annotations.NullMarked;

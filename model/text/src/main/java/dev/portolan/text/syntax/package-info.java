/**
 * How values are spelled: quoted texts, YAML's plain scalars, Go's truths, {@code host:port},
 * Kubernetes' quantities, and the tables that come beside a class.
 *
 * <p>Functions of a text, without a field, flag or gate, for code that reads a value's type or
 * reports that it is wrong.
 */
@NullMarked
package dev.portolan.text.syntax;

import org.jspecify.annotations.NullMarked;

/**
 * How values are spelled: quoted texts, YAML's plain scalars, Go's truths, {@code host:port},
 * Kubernetes' quantities, and the tables that come beside a class.
 *
 * <p>Functions of a text, without a field, flag or gate; whoever reads a value's type or says that
 * it is wrong uses these.
 */
@NullMarked
package dev.portolan.text.syntax;

import org.jspecify.annotations.NullMarked;

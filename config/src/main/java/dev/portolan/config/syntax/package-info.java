/**
 * How values are spelled: quoted texts, YAML's plain scalars, Go's truths, {@code host:port},
 * Kubernetes' quantities, and the tables that come with this module.
 *
 * <p>Functions of a text, without a field, flag or gate; nothing here knows another package of the
 * configuration.
 */
@NullMarked
package dev.portolan.config.syntax;

import org.jspecify.annotations.NullMarked;

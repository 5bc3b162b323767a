/**
 * Collections that the JDK does not have: a map whose versions share structure, and the DiffStore.
 *
 * <p>They know nothing of services, nodes or networks.
 */
@NullMarked
package dev.portolan.core.collection;

import org.jspecify.annotations.NullMarked;

/**
 * Collections that the JDK does not have: a map whose versions share structure, and the DiffStore.
 *
 * <p>They know nothing of services, nodes or networks.
 *
 * <p>Part of the API for authors of backends: docs/writing-a-backend.md lists its public types.
 */
@NullMarked
package dev.portolan.core.collection;

import org.jspecify.annotations.NullMarked;

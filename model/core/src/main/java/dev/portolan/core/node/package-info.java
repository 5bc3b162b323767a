/**
 * What was decided for one node: each service with its endpoints already chosen, per kind of
 * traffic.
 *
 * <p>The brain writes it, backends and people read it. Nothing here is left to interpret, and
 * nothing here knows a Kubernetes object.
 *
 * <p>Part of the API for authors of backends: docs/writing-a-backend.md lists its public types.
 */
@NullMarked
package dev.portolan.core.node;

import org.jspecify.annotations.NullMarked;

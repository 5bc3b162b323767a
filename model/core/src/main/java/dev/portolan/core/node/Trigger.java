package dev.portolan.core.node;

import dev.portolan.core.cluster.NamespacedName;
import java.time.Instant;

/** The moment at which the change happened that a service's new state reflects. */
public record Trigger(NamespacedName service, Instant time) {}

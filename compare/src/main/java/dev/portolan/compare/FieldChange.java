package dev.portolan.compare;

import dev.portolan.core.cluster.ObjectRef;

/**
 * One field of an object that differs between two states of a cluster.
 *
 * @param field as in the object: {@code spec.externalTrafficPolicy}, {@code
 *     endpoints[10.244.3.9].conditions.ready}; empty for the whole object
 * @param before as the object writes it; empty where it was not there
 * @param after the same, now
 */
public record FieldChange(ObjectRef object, String field, String before, String after) {}

package dev.portolan.source.kube;

import org.jspecify.annotations.Nullable;

/**
 * An object that the server sent.
 *
 * @param object null where it is not as such an object can be used; {@code oddity} says why
 */
record Found<K, V>(K key, @Nullable V object, String resourceVersion, @Nullable String oddity) {}

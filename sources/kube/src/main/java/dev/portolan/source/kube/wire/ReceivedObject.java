package dev.portolan.source.kube.wire;

import org.jspecify.annotations.Nullable;

/**
 * An object that the server sent.
 *
 * @param object null if the object is malformed; {@code problem} says why
 */
public record ReceivedObject<K, V>(
    K key, @Nullable V object, String resourceVersion, @Nullable String problem) {}

package dev.portolan.source.kube.wire;

/**
 * The metadata of a list.
 *
 * @param next the token that asks for the next page; empty on the last page
 */
public record ListMeta(String resourceVersion, String next) {}

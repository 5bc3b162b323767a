package dev.portolan.source.kube;

/**
 * The metadata of a list.
 *
 * @param next the token that asks for the next page; empty on the last page
 */
record ListMeta(String resourceVersion, String next) {}

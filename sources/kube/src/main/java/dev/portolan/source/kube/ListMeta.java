package dev.portolan.source.kube;

/**
 * What a list says about itself.
 *
 * @param next with what the next page is asked for; empty on the last
 */
record ListMeta(String resourceVersion, String next) {}

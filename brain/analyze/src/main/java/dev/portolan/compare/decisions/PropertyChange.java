package dev.portolan.compare.decisions;

/**
 * A property of a service, a port or a node that differs.
 *
 * @param property as {@code -o json} of {@code portolan show} calls it, such as {@code
 *     affinitySeconds}
 * @param before in words; empty where it was not set
 * @param nodes on which nodes
 */
public record PropertyChange(String property, String before, String after, NodeSet nodes) {}

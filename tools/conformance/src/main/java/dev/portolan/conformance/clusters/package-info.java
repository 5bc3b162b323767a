/**
 * Clusters to try a backend with, the options under which they are looked at, and what was decided
 * for a node as lines that people can read and compare.
 */
@NullMarked
package dev.portolan.conformance.clusters;

import org.jspecify.annotations.NullMarked;

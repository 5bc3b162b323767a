/**
 * Known mistakes in a cluster: what is wrong, what users notice of it, and the remedy. The packages
 * inside have the checks, one class for each look at the cluster.
 *
 * <p>Values in, values out: nothing here reads a file or an API server.
 */
@NullMarked
package dev.portolan.analyze;

import org.jspecify.annotations.NullMarked;

/**
 * Finds the rules for services that a kernel has, whichever program and mode they are of, and walks
 * past sockets that programs of eBPF connect to endpoints.
 */
@NullMarked
package dev.portolan.walk.kernel;

import org.jspecify.annotations.NullMarked;

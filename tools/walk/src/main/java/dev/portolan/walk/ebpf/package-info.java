/**
 * Sockets that programs of eBPF connect to endpoints, and the rules that all other packets meet.
 */
@NullMarked
package dev.portolan.walk.ebpf;

import org.jspecify.annotations.NullMarked;

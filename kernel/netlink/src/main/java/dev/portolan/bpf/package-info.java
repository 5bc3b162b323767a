/**
 * eBPF from Java: programs written with an assembler, maps, links to cgroups, pins.
 *
 * <p>Nothing here knows services or Kubernetes; only {@link dev.portolan.bpf.BpfCalls} sees native
 * memory.
 */
@NullMarked
package dev.portolan.bpf;

import org.jspecify.annotations.NullMarked;

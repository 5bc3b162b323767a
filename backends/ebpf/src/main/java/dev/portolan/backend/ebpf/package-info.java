/**
 * A node as socket load balancing with eBPF, beside the whole nftables backend: {@link
 * dev.portolan.backend.ebpf.EbpfBackend}. Traffic that does not go through these sockets is served
 * by nftables, with the same decision.
 */
@NullMarked
package dev.portolan.backend.ebpf;

import org.jspecify.annotations.NullMarked;

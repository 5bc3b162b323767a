package dev.portolan.bpf;

import dev.portolan.netlink.lab.NeedsVm;

/** The same in an older kernel. */
@NeedsVm
class OlderKernelTest extends KernelTest {}

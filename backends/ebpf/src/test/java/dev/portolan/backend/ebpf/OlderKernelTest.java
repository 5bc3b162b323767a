package dev.portolan.backend.ebpf;

import dev.portolan.testbase.AtNight;
import dev.portolan.testbase.NeedsVm;

/** The same in an older kernel, which is slow there; what takes long is not done again. */
@AtNight
@NeedsVm
class OlderKernelTest extends EbpfBackendTest {
  @Override
  int changes() {
    return 300;
  }

  /** Not a test here. */
  @Override
  void mapsGrow() {}

  /** Not a test here. */
  @Override
  void affinityEndsWithTimeAndWithTheEndpoint() {}
}

package dev.portolan.backend.ebpf;

import dev.portolan.backend.nftables.NftablesOptions;
import dev.portolan.core.node.Dataplane;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How the backend works.
 *
 * @param nftables the options of the rules beside it
 * @param cgroup the cgroup whose processes' sockets are translated; empty for the root of the
 *     unified cgroups, which is found among the mounts
 * @param folder where links and maps are pinned; it must lie in a bpffs
 */
public record EbpfOptions(NftablesOptions nftables, Optional<Path> cgroup, Path folder) {
  /** The options of nftables, all processes, and {@code /sys/fs/bpf/portolan}. */
  public static final EbpfOptions DEFAULT =
      new EbpfOptions(NftablesOptions.DEFAULT, Optional.empty(), Path.of(EbpfMode.USUAL_PINS));

  /** The same with other rules beside it. */
  public EbpfOptions beside(NftablesOptions rules) {
    return new EbpfOptions(rules, cgroup, folder);
  }

  /** The same in another network namespace. */
  public EbpfOptions in(Optional<Path> namespace) {
    return beside(nftables.in(namespace));
  }

  /** The same for the processes of one cgroup. */
  public EbpfOptions of(Path processes) {
    return new EbpfOptions(nftables, Optional.of(processes), folder);
  }

  /** The same with pins elsewhere. */
  public EbpfOptions pinnedTo(Path place) {
    return new EbpfOptions(nftables, cgroup, place);
  }

  /** What happens to packets that no endpoint gets: what nftables does with them. */
  public Dataplane dataplane() {
    return new EbpfDataplane(nftables.dataplane().listeners());
  }
}

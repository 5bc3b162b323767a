package dev.portolan.backend.nftables;

import dev.portolan.core.node.Dataplane;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How the backend works.
 *
 * @param table the name of its tables
 * @param masqueradeBit which bit of a packet's mark asks for masquerading
 * @param namespace the network namespace to work in, if not this process's own
 */
public record NftablesOptions(String table, int masqueradeBit, Optional<Path> namespace) {
  /** Table {@code portolan}, bit 14, this process's namespace. */
  public static final NftablesOptions DEFAULT =
      new NftablesOptions("portolan", 14, Optional.empty());

  public NftablesOptions {
    if (masqueradeBit < 0 || masqueradeBit > 31) {
      throw new IllegalArgumentException(
          "the masquerade bit must be between 0 and 31, not " + masqueradeBit);
    }
  }

  /** What the rules do with packets that no endpoint gets. */
  public Dataplane dataplane() {
    return Dataplane.EXACT.named("nftables");
  }

  /** The bit as a number. */
  int mark() {
    return 1 << masqueradeBit;
  }
}

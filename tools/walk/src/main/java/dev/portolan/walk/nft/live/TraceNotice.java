package dev.portolan.walk.nft.live;

import dev.portolan.nftables.NftVerdict;
import dev.portolan.nftables.TableName;
import java.util.Arrays;
import java.util.Optional;

/** What the kernel says of a packet that is traced. */
sealed interface TraceNotice {
  /**
   * Something that the packet met.
   *
   * @param id tells packets apart
   * @param rule the handle of the rule; 0 for the end of a chain
   * @param verdict what was decided there; nothing where the packet went on
   * @param network the packet's network header, as it was there; empty where it is not repeated
   * @param transport the same of what follows
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Met(
      int id,
      TableName table,
      String chain,
      Kind kind,
      long rule,
      Optional<NftVerdict> verdict,
      byte[] network,
      byte[] transport)
      implements TraceNotice {
    /** Whether the packet vanishes here. */
    boolean drops() {
      return verdict.filter(NftVerdict.DROP::equals).isPresent();
    }

    @Override
    public String toString() {
      return table + " " + chain + " " + rule + " " + kind + Arrays.toString(network);
    }
  }

  /** Notices were lost. */
  record Lost(String reason) implements TraceNotice {}

  /** What was met. */
  enum Kind {
    RULE,
    RETURN,
    POLICY
  }
}

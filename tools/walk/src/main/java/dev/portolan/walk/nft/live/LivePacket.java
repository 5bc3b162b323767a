package dev.portolan.walk.nft.live;

import dev.portolan.core.net.Ip;
import dev.portolan.core.node.Verdict;
import dev.portolan.walk.WalkStep;
import java.util.List;
import java.util.Optional;

/**
 * A real packet, and what the kernel says that it met.
 *
 * @param source where it came from
 * @param verdict {@code forward} where it was sent to another destination, {@code drop} also where
 *     it was refused: the kernel does not say whether an answer was sent
 * @param endpoint where it was sent, if it was sent elsewhere
 * @param steps the rules that it met, in order, with what they decided
 */
public record LivePacket(
    Ip source, int sourcePort, Verdict verdict, Optional<Endpoint> endpoint, List<WalkStep> steps) {
  /** Where a packet was sent. */
  public record Endpoint(Ip address, int port) {
    @Override
    public String toString() {
      return address.withPort(port);
    }
  }

  public LivePacket {
    steps = List.copyOf(steps);
  }
}

package dev.portolan.walk.nft;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.walk.nft.table.NftExpression;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a rule replaces one end of a packet by.
 *
 * @param addresses from which the kernel chooses one
 */
record AddressRange(List<Ip> addresses, int port) {
  private static final int NETMAP = 0x40;
  private static final int MOST = 256;

  AddressRange {
    addresses = List.copyOf(addresses);
  }

  /** Reads it from the registers; nothing where it is more than can be followed. */
  static Optional<AddressRange> of(
      NftExpression.Translate translate, Registers registers, PacketState state) {
    Ip address = translate.destination() ? state.destination() : state.source();
    int port = translate.destination() ? state.port() : state.sourcePort();
    if (translate.port() >= 0) {
      port = registers.loadPort(translate.port());
      if (translate.portEnd() >= 0 && registers.loadPort(translate.portEnd()) != port) {
        return Optional.empty();
      }
    }
    if (translate.address() < 0) {
      return Optional.of(new AddressRange(List.of(address), port));
    }
    Ip first = load(translate.address(), registers, address.family());
    Ip last =
        translate.addressEnd() < 0
            ? first
            : load(translate.addressEnd(), registers, address.family());
    long many = last.low() - first.low();
    if ((translate.flags() & NETMAP) != 0
        || first.high() != last.high()
        || many < 0
        || many >= MOST) {
      return Optional.empty();
    }
    List<Ip> addresses = new ArrayList<>();
    for (long i = 0; i <= many; i++) {
      addresses.add(new Ip(first.high(), first.low() + i));
    }
    return Optional.of(new AddressRange(addresses, port));
  }

  private static Ip load(int register, Registers registers, IpFamily family) {
    return Ip.fromBytes(registers.load(register, family.bits() / 8));
  }
}

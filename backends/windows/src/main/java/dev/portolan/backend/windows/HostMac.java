package dev.portolan.backend.windows;

import dev.portolan.core.net.Ip;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.HexFormat;
import java.util.Optional;

/** Finds hardware addresses. */
final class HostMac {
  private static final HexFormat FORM = HexFormat.ofDelimiter("-").withUpperCase();

  private HostMac() {}

  /** That of the device that has an address, as HNS writes them. */
  static Optional<String> of(Ip address) {
    try {
      NetworkInterface device =
          NetworkInterface.getByInetAddress(InetAddress.getByAddress(address.toBytes()));
      byte[] bytes = device == null ? null : device.getHardwareAddress();
      return Optional.ofNullable(bytes).map(FORM::formatHex);
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}

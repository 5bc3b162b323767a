package dev.portolan.netlink.ipvs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.netlink.Hostile;
import dev.portolan.netlink.MessageReader;
import dev.portolan.netlink.MessageReader.Message;
import dev.portolan.netlink.MessageWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Messages as the numbers of the kernel's headers make them, written for little-endian machines.
 */
final class IpvsCodecTest {
  private static final String HEADER = "04010000";

  @Test
  void aServiceByAddressIsRead() {
    Message message =
        message(
            HEADER
                + "40000180" // the service, nested
                + "0600010002000000" // family 2
                + "0600020006000000" // protocol 6
                + "140003000a60000a000000000000000000000000" // room for 16 bytes
                + "0600040000350000" // port 53
                + "0700060072720000" // scheduler rr
                + "0800080000000000"); // timeout 0
    assertThat(VirtualService.read(message)).hasToString("tcp 10.96.0.10:53");
  }

  @Test
  void aServiceByMarkIsRead() {
    Message message = message(HEADER + "14000180" + "060001000a000000" + "0800050007000000");
    assertThat(VirtualService.read(message)).hasToString("mark 7");
    assertThat(VirtualService.read(message).address()).isEqualTo(address("::"));
  }

  @ParameterizedTest
  @CsvSource({
    "6, 10.96.0.10, 53, 0, 300001800600010002000000060002000600000014000300"
        + "0a60000a0000000000000000000000000600040000350000",
    "17, fd00::a, 443, 0, 30000180060001000a000000060002001100000014000300"
        + "fd00000000000000000000000000000a0600040001bb0000",
    "0, 0.0.0.0, 0, 7, 1400018006000100020000000800050007000000"
  })
  void whatAServiceIsKnownByIsWritten(
      int protocol, String address, int port, int mark, String expected) {
    MessageWriter writer = new MessageWriter();
    VirtualService service = new VirtualService(protocol, address(address), port, mark);
    service.write(writer);
    assertThat(HexFormat.of().formatHex(writer.copyFrom(0))).isEqualTo(expected);
    assertThat(VirtualService.read(message(HEADER + expected))).isEqualTo(service);
  }

  @Test
  void onlyTheFamilyOfThatNameCounts() {
    String number = "0600010022000000";
    assertThat(Ipvs.family(message(HEADER + number + "090002004950565300000000"))).isEqualTo(0x22);
    assertThat(Ipvs.family(message(HEADER + number + "090002004950565400000000"))).isZero();
    assertThat(Ipvs.family(message(HEADER))).isZero();
  }

  @Property(tries = 20_000)
  void damagedDatagramsNeverCrash(@ForAll long seed) {
    Hostile.feed(seed, List.of(Ipvs::family, VirtualService::read));
  }

  private static Message message(String body) {
    MessageWriter writer = new MessageWriter();
    writer.begin(0x22, 0, 1).rawBytes(HexFormat.of().parseHex(body)).end();
    byte[] bytes = writer.copyFrom(0);
    Optional<Message> message = new MessageReader(bytes, bytes.length).next();
    return message.orElseThrow();
  }

  private static InetAddress address(String text) {
    try {
      return InetAddress.getByName(text);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }
}

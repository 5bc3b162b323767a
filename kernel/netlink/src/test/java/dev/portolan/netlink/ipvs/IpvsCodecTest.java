package dev.portolan.netlink.ipvs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.Hostile;
import dev.portolan.netlink.MessageReader;
import dev.portolan.netlink.MessageReader.Message;
import dev.portolan.netlink.MessageWriter;
import dev.portolan.testbase.ForAll;
import dev.portolan.testbase.Property;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
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
  void anEntryHasSettingsAndCounters() {
    Message message =
        message(
            HEADER
                + "94000180"
                + "0600010002000000"
                + "0600020006000000"
                + "140003000a60000a000000000000000000000000"
                + "0600040000500000"
                + "070006006d680000" // mh
                + "0c0007001300000000000000" // persistent, hashed, port
                + "08000800302a0000" // 10800
                + "08000900ffffffff"
                + "40000c80" // counters of 64 bits
                + "0c0001000300000000000000"
                + "0c0002000400000000000000"
                + "0c0003000500000000000000"
                + "0c0004000600000000000000"
                + "0c0005000700000000000000");
    ServiceEntry entry = ServiceEntry.read(message);
    assertThat(entry).hasToString("tcp 10.96.0.10:80 mh (mh-port) persistent 10800");
    assertThat(entry.settings())
        .isEqualTo(ServiceSettings.of(AddressFamily.IPV4, "mh", 0x11, 10800));
    assertThat(entry.statistics()).isEqualTo(new Statistics(3, 4, 5, 6, 7));
  }

  @Test
  void aRealServerHasItsConnections() {
    Message message =
        message(
            HEADER
                + "58000280"
                + "140001000a010001000000000000000000000000"
                + "060002001f900000"
                + "0800030000010000" // NAT, with a flag that is none of our business
                + "0800040001000000"
                + "0800050009000000"
                + "0800060000000000"
                + "0800070002000000"
                + "0800080003000000"
                + "0800090004000000");
    ServerEntry entry = ServerEntry.read(message, AddressFamily.IPV4.number());
    assertThat(entry.server())
        .isEqualTo(new RealServer(address("10.1.0.1"), 8080, 1, RealServer.NAT, 9, 0))
        .hasToString("10.1.0.1:8080");
    assertThat(List.of(entry.active(), entry.inactive(), entry.persistent()))
        .containsExactly(2, 3, 4);
    assertThat(entry.hasConnections()).isTrue();
  }

  @Test
  void ordersAreWrittenOneAfterAnother() {
    MessageWriter writer = new MessageWriter();
    VirtualService service = new VirtualService(6, address("10.96.0.10"), 53, 0);
    RealServer server = new RealServer(address("10.1.0.1"), 8080, 1);
    IpvsOrder.add(service, ServiceSettings.of(AddressFamily.IPV4, "rr", 0, 0))
        .write(writer, 0x22, 0, 7);
    IpvsOrder.delete(service, server).write(writer, 0x22, MessageWriter.ACK, 8);
    String key =
        "0600010002000000060002000600000014000300"
            + "0a60000a0000000000000000000000000600040000350000";
    assertThat(HexFormat.of().formatHex(writer.copyFrom(0)))
        .isEqualTo(
            "6800000022000100070000000000000001010000"
                + "54000180"
                + key
                + "070006007272000" // rr
                + "00c000700"
                + "00000000ffffffff"
                + "0800080000000000"
                + "08000900ffffffff"
                + "6c00000022000500080000000000000007010000"
                + "30000180"
                + key
                + "28000280"
                + "140001000a010001000000000000000000000000"
                + "060002001f900000"
                + "06000b0002000000");
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
    Hostile.feed(
        seed,
        List.of(
            Ipvs::family,
            VirtualService::read,
            ServiceEntry::read,
            message -> ServerEntry.read(message, AddressFamily.IPV6.number()).hasConnections(),
            message -> Timeouts.read(message).udp()));
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

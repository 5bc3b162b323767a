package dev.portolan.netlink;

import dev.portolan.netlink.lab.TestNamespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;

/**
 * Records datagrams of a real kernel as hex, one a line, for the tests of the decoders. Run by hand
 * as root with the folder {@code src/test/resources/captures} as argument.
 */
final class RecordCaptures {
  private static final Duration SILENCE = Duration.ofMillis(200);
  private static final int NF_TABLES = 10 << 8;
  private static final int CONNTRACK = 1 << 8;

  private final Path folder;

  private RecordCaptures(Path folder) {
    this.folder = folder;
  }

  public static void main(String[] arguments) throws IOException {
    try (TestNamespace place = new TestNamespace()) {
      new RecordCaptures(Path.of(arguments[0])).record(place);
    }
  }

  private void record(TestNamespace place) throws IOException {
    try (NetlinkSocket groups = NetlinkSocket.open(NetlinkSocket.NETFILTER, place.path())) {
      groups.join(7);
      place.nft(
          """
          table ip lab {
            comment "the lab's"
            set addresses { type ipv4_addr; elements = { 10.0.0.1 comment "one", 10.0.0.2 }; }
            set ranges { type ipv4_addr . inet_service; flags interval
              elements = { 10.0.0.0/24 . 80, 10.1.0.0/16 . 1-1024 }; }
            map services { type ipv4_addr . inet_proto . inet_service : verdict
              elements = { 10.96.0.10 . udp . 53 : goto pick, 10.96.0.1 . tcp . 443 : drop }; }
            map endpoints { type ipv4_addr . inet_service : ipv4_addr . inet_service
              elements = { 10.96.0.10 . 53 : 10.244.0.2 . 5353 }; }
            chain pick { counter comment "counted";
              dnat to ip daddr . udp dport map @endpoints; }
            chain prerouting { type nat hook prerouting priority dstnat;
              ip daddr . meta l4proto . th dport vmap @services
              ip saddr @addresses drop; }
          }
          table ip6 lab { set six { type ipv6_addr; timeout 10s; elements = { fd00::1 }; }; }
          """);
      place.nft("delete element ip lab addresses { 10.0.0.1 }\nflush chain ip lab pick\n");
      write("nftables-notices", rest(groups));
    }
    nftables(place);
    conntrack(place);
    route(place);
  }

  private void nftables(TestNamespace place) throws IOException {
    List<byte[]> dumps = new ArrayList<>();
    for (int type : new int[] {1, 4, 7, 10}) {
      dumps.addAll(ask(place, NetlinkSocket.NETFILTER, NF_TABLES | type, w -> w.raw(2, 0, 0, 0)));
    }
    for (String set : new String[] {"addresses", "ranges", "services", "endpoints"}) {
      dumps.addAll(
          ask(
              place,
              NetlinkSocket.NETFILTER,
              NF_TABLES | 13,
              w -> w.raw(2, 0, 0, 0).text(1, "lab").text(2, set)));
    }
    write("nftables-dumps", dumps);
    try (NetlinkSocket socket = NetlinkSocket.open(NetlinkSocket.NETFILTER, place.path())) {
      MessageWriter batch = new MessageWriter();
      batch.begin(16, MessageWriter.REQUEST, 0).raw(0, 0, 0, 10).end();
      batch.begin(NF_TABLES | 5, MessageWriter.REQUEST, 1).raw(2, 0, 0, 0);
      batch.text(1, "lab").text(3, "nowhere").end();
      batch.begin(NF_TABLES, MessageWriter.REQUEST | MessageWriter.ACK, 2).raw(2, 0, 0, 0);
      batch.text(1, "lab").end();
      batch.begin(17, MessageWriter.REQUEST, 3).raw(0, 0, 0, 10).end();
      socket.send(batch);
      List<byte[]> answers = rest(socket);
      MessageWriter generation = new MessageWriter();
      generation.begin(NF_TABLES | 16, MessageWriter.REQUEST | MessageWriter.ACK, 4);
      socket.send(generation.raw(0, 0, 0, 0).end());
      answers.addAll(rest(socket));
      // A dump with a header that asks for nonsense: refused with words.
      answers.addAll(ask(place, NetlinkSocket.ROUTE, 18, w -> w.raw(0, 0, 9, 9).raw(new int[12])));
      write("answers", answers);
    }
  }

  private void conntrack(TestNamespace place) throws IOException {
    for (String port : new String[] {"4000", "4001", "4002"}) {
      place.run(
          "conntrack",
          "-I",
          "-p",
          "udp",
          "-s",
          "10.1.0.5",
          "-d",
          "10.96.0.10",
          "--sport",
          port,
          "--dport",
          "53",
          "--dst-nat",
          "10.244.0.2:5353",
          "--timeout",
          "600");
    }
    place.run(
        "conntrack",
        "-I",
        "-p",
        "tcp",
        "-s",
        "10.1.0.5",
        "-d",
        "10.1.0.6",
        "--sport",
        "4000",
        "--dport",
        "80",
        "--state",
        "ESTABLISHED",
        "--timeout",
        "600",
        "--zone",
        "7");
    place.run(
        "conntrack",
        "-I",
        "-p",
        "udp",
        "-s",
        "fd00::5",
        "-d",
        "fd00::6",
        "--sport",
        "4000",
        "--dport",
        "53",
        "--timeout",
        "600");
    place.run(
        "conntrack",
        "-I",
        "-p",
        "icmp",
        "-s",
        "10.1.0.5",
        "-d",
        "10.1.0.6",
        "--icmp-type",
        "8",
        "--icmp-code",
        "0",
        "--icmp-id",
        "77",
        "--timeout",
        "600");
    write(
        "conntrack-dumps",
        ask(place, NetlinkSocket.NETFILTER, CONNTRACK | 1, w -> w.raw(0, 0, 0, 0)));
  }

  private void route(TestNamespace place) throws IOException {
    try (NetlinkSocket groups = NetlinkSocket.open(NetlinkSocket.ROUTE, place.path())) {
      groups.join(1);
      groups.join(5);
      groups.join(9);
      place.ip("link", "add", "lab0", "type", "veth", "peer", "name", "lab1");
      place.ip("address", "add", "10.9.0.1/24", "dev", "lab0");
      place.ip("address", "add", "10.9.1.1", "peer", "10.9.1.2/32", "dev", "lab0");
      place.ip("address", "add", "fd09::1/64", "dev", "lab0");
      place.ip("link", "set", "lab0", "up");
      List<byte[]> dumps =
          new ArrayList<>(ask(place, NetlinkSocket.ROUTE, 18, w -> w.raw(new int[16])));
      dumps.addAll(ask(place, NetlinkSocket.ROUTE, 22, w -> w.raw(new int[8])));
      write("route-dumps", dumps);
      place.ip("link", "delete", "lab0");
      write("route-notices", rest(groups));
    }
  }

  private static List<byte[]> ask(
      TestNamespace place, int protocol, int type, Consumer<MessageWriter> content) {
    try (NetlinkSocket socket = NetlinkSocket.open(protocol, place.path())) {
      MessageWriter writer = new MessageWriter();
      writer.begin(type, MessageWriter.REQUEST | MessageWriter.DUMP, 1);
      content.accept(writer);
      socket.send(writer.end());
      return rest(socket);
    }
  }

  private static List<byte[]> rest(NetlinkSocket socket) {
    List<byte[]> datagrams = new ArrayList<>();
    for (MessageReader next = socket.receive(SILENCE);
        next != null;
        next = socket.receive(SILENCE)) {
      datagrams.add(next.datagram());
    }
    return datagrams;
  }

  private void write(String name, List<byte[]> datagrams) throws IOException {
    HexFormat hex = HexFormat.of();
    Files.write(folder.resolve(name + ".hex"), datagrams.stream().map(hex::formatHex).toList());
  }
}

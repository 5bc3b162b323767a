package dev.portolan.core.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.testbase.ForAll;
import dev.portolan.testbase.Property;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IpTest {
  @ParameterizedTest
  @CsvSource({
    "10.96.0.10, 10.96.0.10",
    "010.096.000.010, 10.96.0.10",
    "255.255.255.255, 255.255.255.255",
    "::, ::",
    "::1, ::1",
    "fd00::, fd00::",
    "FD00:0:0:0:0:0:0:1, fd00::1",
    "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
    "2001:0:0:1:0:0:0:1, 2001:0:0:1::1",
    "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
    "::ffff:10.0.0.1, 10.0.0.1",
    "::ffff:a00:1, 10.0.0.1",
    "64:ff9b::192.0.2.33, 64:ff9b::c000:221",
    "1:2:3:4:5:6:7::, 1:2:3:4:5:6:7:0",
  })
  void readsEverySpellingAndPrintsTheCanonicalOne(String text, String canonical) {
    assertThat(Ip.of(text)).hasToString(canonical);
    assertThat(Ip.of(canonical)).isEqualTo(Ip.of(text));
    assertThat(Ip.parseCanonical(canonical)).contains(Ip.of(text));
    assertThat(Ip.parseCanonical(text).isPresent()).isEqualTo(text.equals(canonical));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "1.2.3",
        "1.2.3.4.5",
        "1.2.3.256",
        "1.2.3.",
        ".1.2.3",
        "1..2.3",
        "1.2.3.4 ",
        "a.b.c.d",
        ":",
        ":::",
        "1:2",
        "1:2:3:4:5:6:7:8:9",
        "::1::",
        "1::2::3",
        "12345::",
        "fe80::1%eth0",
        "g::",
        "1:2:3:4:5:6:7:1.2.3.4",
        "::1.2.3",
        "1:2:3:4:5:6:7:8::",
        "1:",
        "localhost",
        "١.2.3.4",
        "::\uff11"
      })
  void refusesWhatIsNoAddress(String text) {
    assertThat(Ip.parse(text)).isEmpty();
    assertThatThrownBy(() -> Ip.of(text)).hasMessageContaining("is not an IP address");
  }

  @Property
  void agreesWithTheJdk(@ForAll(min = 16, max = 16) byte[] bytes) throws UnknownHostException {
    InetAddress address = InetAddress.getByAddress(bytes);
    Ip ip = Ip.of(address.getHostAddress());
    assertThat(ip.toBytes()).isEqualTo(address.getAddress());
    assertThat(Ip.fromBytes(bytes)).isEqualTo(ip);
    assertThat(InetAddress.getByName(ip.toString())).isEqualTo(address);
    assertThat(ip.isLoopback()).isEqualTo(address.isLoopbackAddress());
    assertThat(ip.isLinkLocal()).isEqualTo(address.isLinkLocalAddress());
    assertThat(ip.isMulticast()).isEqualTo(address.isMulticastAddress());
    assertThat(ip.isUnspecified()).isEqualTo(address.isAnyLocalAddress());
  }

  @Property
  void agreesWithTheJdkOnIpv4(@ForAll int bits) throws UnknownHostException {
    Ip ip = Ip.v4(bits);
    InetAddress address = InetAddress.getByAddress(ip.toBytes());
    assertThat(ip).hasToString(address.getHostAddress());
    assertThat(ip.family()).isEqualTo(IpFamily.IPV4);
    assertThat(ip.isLoopback()).isEqualTo(address.isLoopbackAddress());
    assertThat(ip.isLinkLocal()).isEqualTo(address.isLinkLocalAddress());
    assertThat(ip.isMulticast()).isEqualTo(address.isMulticastAddress());
  }

  @Property
  void neverThrowsOnAnyText(@ForAll String text) {
    Ip.parse(text).ifPresent(ip -> assertThat(Ip.of(ip.toString())).isEqualTo(ip));
    Cidr.parse(text).ifPresent(range -> assertThat(Cidr.of(range.toString())).isEqualTo(range));
  }

  @Test
  void ordersByFamilyThenByNumber() {
    assertThat(Ip.of("10.0.0.2")).isLessThan(Ip.of("10.0.0.10")).isLessThan(Ip.of("::"));
    assertThat(Ip.of("200.0.0.1")).isGreaterThan(Ip.of("100.0.0.1"));
    assertThat(Ip.of("fd00::1")).isGreaterThan(Ip.of("1::1"));
  }

  @ParameterizedTest
  @CsvSource({
    "10.96.1.2/12, 10.96.0.0/12, 10.111.255.255, 10.112.0.0",
    "0.0.0.0/0, 0.0.0.0/0, 255.1.2.3, ::1",
    "10.0.0.1/32, 10.0.0.1/32, 10.0.0.1, 10.0.0.2",
    "fd00:10::1/64, fd00:10::/64, fd00:10::ffff, fd00:10:0:1::",
    "fd00::/8, fd00::/8, fdff::1, fe00::",
    "::/0, ::/0, fd00::1, 1.2.3.4",
  })
  void rangesHoldWhatLiesInside(String text, String canonical, String inside, String outside) {
    Cidr range = Cidr.of(text);
    assertThat(range).hasToString(canonical);
    assertThat(range.contains(Ip.of(inside))).isTrue();
    assertThat(range.contains(Ip.of(outside))).isFalse();
    assertThat(range.contains(Cidr.only(Ip.of(inside)))).isTrue();
    assertThat(range.contains(range.last())).isTrue();
    assertThat(range.last()).isGreaterThanOrEqualTo(Ip.of(inside));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "10.0.0.0",
        "10.0.0.0/",
        "10.0.0.0/33",
        "10.0.0.0/-1",
        "10.0.0.0/x",
        "::/129",
        "/8",
        "a/8",
        "10.0.0.0/0008",
        "::ffff:10.0.0.0/96"
      })
  void refusesWhatIsNoRange(String text) {
    assertThat(Cidr.parse(text)).isEmpty();
  }
}

package dev.portolan.netlink.ipset;

import dev.portolan.netlink.Attributes;
import dev.portolan.netlink.Attributes.Attribute;
import dev.portolan.netlink.MessageReader.Message;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * A set, or a part of a large one, as the kernel lists it.
 *
 * @param type what it holds, such as {@code hash:ip,port}
 */
public record IpsetContent(String name, String type, List<Element> elements) {
  private static final int HEADER = 4;
  private static final int NAME = 2;
  private static final int TYPE = 3;
  private static final int DATA = 7;
  private static final int ELEMENTS = 8;
  private static final int ADDRESS = 1;
  private static final int PREFIX = 3;
  private static final int PORT = 4;
  private static final int PROTOCOL = 7;
  private static final int SECOND_ADDRESS = 20;
  private static final int SECOND_PREFIX = 21;

  /**
   * One element.
   *
   * @param networks its addresses, in order; whole ones, or prefixes of them
   * @param port 0 where it has none
   * @param protocol the number of its port's protocol; 0 where it has none
   */
  public record Element(List<Network> networks, int port, int protocol) {
    public Element {
      networks = List.copyOf(networks);
    }
  }

  /** An address, of which {@code prefix} bits count. */
  public record Network(InetAddress address, int prefix) {}

  public IpsetContent {
    elements = List.copyOf(elements);
  }

  static IpsetContent read(Message message) {
    Attributes attributes = message.attributes(HEADER);
    List<Element> elements = new ArrayList<>();
    for (Attribute data : attributes.nested(ELEMENTS).all()) {
      if (data.type() == DATA) {
        elements.add(element(data.nested()));
      }
    }
    return new IpsetContent(
        attributes.text(NAME).orElse(""), attributes.text(TYPE).orElse(""), elements);
  }

  private static Element element(Attributes data) {
    List<Network> networks = new ArrayList<>();
    add(networks, data, ADDRESS, PREFIX);
    add(networks, data, SECOND_ADDRESS, SECOND_PREFIX);
    return new Element(
        networks,
        data.first(PORT).isEmpty() ? 0 : data.u16(PORT),
        data.first(PROTOCOL).isEmpty() ? 0 : data.u8(PROTOCOL));
  }

  private static void add(List<Network> networks, Attributes data, int type, int prefix) {
    // Inside is one attribute, whose type says the family.
    data.nested(type).all().stream()
        .findFirst()
        .ifPresent(value -> {
          InetAddress address = value.toAddress();
          int whole = address.getAddress().length * 8;
          networks.add(
              new Network(address, data.first(prefix).isEmpty() ? whole : data.u8(prefix)));
        });
  }
}

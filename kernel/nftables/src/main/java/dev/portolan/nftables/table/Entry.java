package dev.portolan.nftables.table;

import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.nftables.Element;
import dev.portolan.nftables.NftVerdict;

/** An element of a set or map, in the words of addresses and ports. */
public interface Entry {
  /** For the kernel. */
  Element element();

  /** In nft's words. */
  String text();

  /** An address. */
  record OfAddress(Ip address) implements Entry {
    @Override
    public Element element() {
      return Element.of(address.toBytes(), "");
    }

    @Override
    public String text() {
      return address.toString();
    }
  }

  /** An address as the source and destination of the same packet, such as that of a hairpin. */
  record OfHairpin(Ip address, Protocol protocol, int port) implements Entry {
    @Override
    public Element element() {
      return Element.of(
          new Keys().ip(address).ip(address).protocol(protocol).port(port).toBytes(), "");
    }

    @Override
    public String text() {
      return address + " . " + address + " . " + protocol.lower() + " . " + port;
    }
  }

  /** A service's address and port with a verdict. */
  record OfService(Ip address, Protocol protocol, int port, NftVerdict verdict, String comment)
      implements Entry {
    @Override
    public Element element() {
      return Element.of(
          new Keys().ip(address).protocol(protocol).port(port).toBytes(), verdict, comment);
    }

    @Override
    public String text() {
      return address + " . " + protocol.lower() + " . " + port + quoted(comment) + " : " + verdict;
    }
  }

  /** A service's address and port in a set. */
  record OfAddressPort(Ip address, Protocol protocol, int port, String comment) implements Entry {
    @Override
    public Element element() {
      return Element.of(new Keys().ip(address).protocol(protocol).port(port).toBytes(), comment);
    }

    @Override
    public String text() {
      return address + " . " + protocol.lower() + " . " + port + quoted(comment);
    }
  }

  /** The allowed sources of a service's address and port. */
  record OfSource(Ip address, Protocol protocol, int port, Cidr source) implements Entry {
    @Override
    public Element element() {
      byte[] first =
          new Keys().ip(address).protocol(protocol).port(port).ip(source.base()).toBytes();
      byte[] last =
          new Keys().ip(address).protocol(protocol).port(port).ip(source.last()).toBytes();
      return Element.range(first, last, "");
    }

    @Override
    public String text() {
      String range =
          source.prefix() == source.family().bits() ? source.base().toString() : source.toString();
      return address + " . " + protocol.lower() + " . " + port + " . " + range;
    }
  }

  /** A port of the node in a set. */
  record OfPort(Protocol protocol, int port, String comment) implements Entry {
    @Override
    public Element element() {
      return Element.of(new Keys().protocol(protocol).port(port).toBytes(), comment);
    }

    @Override
    public String text() {
      return protocol.lower() + " . " + port + quoted(comment);
    }
  }

  /** A nodePort with a verdict. */
  record OfNodePort(Protocol protocol, int port, NftVerdict verdict, String comment)
      implements Entry {
    @Override
    public Element element() {
      return Element.of(new Keys().protocol(protocol).port(port).toBytes(), verdict, comment);
    }

    @Override
    public String text() {
      return protocol.lower() + " . " + port + quoted(comment) + " : " + verdict;
    }
  }

  private static String quoted(String comment) {
    return comment.isEmpty() ? "" : " comment \"" + comment + "\"";
  }
}

package dev.portolan.netlink.conntrack;

/** Numbers of the ctnetlink protocol. */
final class ConntrackConstants {
  static final int SUBSYSTEM = 1 << 8;
  static final int GET = 1;
  static final int DELETE = 2;

  static final int TUPLE_ORIGINAL = 1;
  static final int TUPLE_REPLY = 2;
  static final int STATUS = 3;
  static final int MARK = 8;
  static final int ID = 12;
  static final int ZONE = 18;
  static final int FILTER = 25;
  static final int STATUS_MASK = 26;

  static final int TUPLE_IP = 1;
  static final int TUPLE_PROTOCOL = 2;
  static final int TUPLE_ZONE = 3;
  static final int IPV4_SOURCE = 1;
  static final int IPV4_DESTINATION = 2;
  static final int IPV6_SOURCE = 3;
  static final int IPV6_DESTINATION = 4;
  static final int PROTOCOL_NUMBER = 1;
  static final int SOURCE_PORT = 2;
  static final int DESTINATION_PORT = 3;

  static final int FILTER_ORIGINAL = 1;
  static final int FILTER_ON_DESTINATION = 1 << 1;
  static final int FILTER_ON_PROTOCOL = 1 << 3;
  static final int FILTER_ON_DESTINATION_PORT = 1 << 5;

  private ConntrackConstants() {}
}

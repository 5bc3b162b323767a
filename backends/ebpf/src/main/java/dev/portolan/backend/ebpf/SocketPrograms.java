package dev.portolan.backend.ebpf;

import static dev.portolan.backend.ebpf.SocketMap.AFFINITY;
import static dev.portolan.backend.ebpf.SocketMap.MEMBERS;
import static dev.portolan.backend.ebpf.SocketMap.REVERSE;
import static dev.portolan.backend.ebpf.SocketMap.SERVICES;
import static dev.portolan.backend.ebpf.SocketMap.SLOTS;
import static dev.portolan.backend.ebpf.SocketMap.UDP_CHOICE;
import static dev.portolan.bpf.Register.FRAME;
import static dev.portolan.bpf.Register.R0;
import static dev.portolan.bpf.Register.R1;
import static dev.portolan.bpf.Register.R2;
import static dev.portolan.bpf.Register.R3;
import static dev.portolan.bpf.Register.R4;
import static dev.portolan.bpf.Register.R6;
import static dev.portolan.bpf.Register.R7;
import static dev.portolan.bpf.Width.DOUBLE;
import static dev.portolan.bpf.Width.HALF;
import static dev.portolan.bpf.Width.WORD;

import dev.portolan.bpf.Arithmetic;
import dev.portolan.bpf.Assembler;
import dev.portolan.bpf.Code;
import dev.portolan.bpf.Condition;
import dev.portolan.bpf.Helper;
import dev.portolan.bpf.Register;
import dev.portolan.bpf.SocketHook;

/**
 * The programs, one source for both families: {@link #forward} replaces a service's address by an
 * endpoint's when a socket connects or sends, {@link #backward} replaces it back when it asks with
 * whom it talks, {@link #release} forgets what it was. Whatever is not found is left as it is, and
 * nftables sees it.
 */
final class SocketPrograms {
  /** Where {@code bpf_sock_addr} has the address, the port and the protocol. */
  static final int IP4 = 4;

  static final int IP6 = 8;
  static final int PORT = 24;
  static final int PROTOCOL = 36;

  /** Where {@code bpf_sock} has the family, and the port and address that it is connected to. */
  static final int FAMILY = 4;

  static final int PEER_PORT = 48;
  static final int PEER_IP4 = 52;
  static final int PEER_IP6 = 56;

  static final int AF_INET6 = 10;

  private static final int CONNECTION_REFUSED = 111;
  private static final int SECOND = 1_000_000_000;

  // Places on the stack. An address has 16 bytes, a port 2 and 2 unused ones.
  private static final int SERVICE = -24;
  private static final int ENDPOINT = -48;
  private static final int ENDPOINT_PORT = ENDPOINT + 16;
  private static final int KEY = -80;
  private static final int VALUE = -112;
  private static final int GENERATION = -120;
  private static final int COUNT = -128;
  private static final int AFFINITY_SECONDS = COUNT + 4;
  private static final int POOL = -136;

  private final Assembler code = new Assembler();
  private final boolean six;

  private SocketPrograms(boolean six) {
    this.six = six;
  }

  /** The program for {@code hook}. */
  static Code of(SocketHook hook) {
    SocketPrograms programs = new SocketPrograms(hook.isIpv6());
    return switch (hook) {
      case CONNECT4, CONNECT6 -> programs.forward(false);
      case SENDMSG4, SENDMSG6 -> programs.forward(true);
      case RECVMSG4, RECVMSG6, GETPEERNAME4, GETPEERNAME6 -> programs.backward();
      case RELEASE -> programs.release();
    };
  }

  /** The name under which {@code bpftool} shows the program for {@code hook}. */
  static String name(SocketHook hook) {
    return "pl_" + hook;
  }

  /**
   * @param datagrams whether each call sends a datagram: then the socket stays with the endpoint
   *     that it had, as a flow does that is tracked
   */
  private Code forward(boolean datagrams) {
    code.move(R6, R1);
    addressTo(SERVICE);
    code.load(WORD, R1, R6, PROTOCOL).store(WORD, FRAME, SERVICE + 20, R1);
    lookup(SERVICES, SERVICE, "pass");
    readService();
    code.load(WORD, R1, FRAME, COUNT).jumpIf(Condition.EQUAL, R1, 0, "refuse");
    if (datagrams) {
      socketKey(SERVICE);
      lookup(UDP_CHOICE, KEY, "no choice");
      endpointFrom(R0, 0);
      memberKey();
      lookup(MEMBERS, KEY, "no choice");
      code.jump("found").label("no choice");
    }
    sticky();
    pick();
    code.label("stay");
    remember();
    if (datagrams) {
      socketKey(SERVICE);
      update(UDP_CHOICE, KEY, ENDPOINT);
    }
    code.label("found");
    socketKey(ENDPOINT);
    update(REVERSE, KEY, SERVICE);
    addressFrom(FRAME, ENDPOINT);
    code.label("pass").exit(1);
    code.label("refuse").move(R1, -CONNECTION_REFUSED).call(Helper.SET_RETVAL).exit(0);
    return code.assemble();
  }

  private Code backward() {
    code.move(R6, R1);
    addressTo(ENDPOINT);
    socketKey(ENDPOINT);
    lookup(REVERSE, KEY, "pass");
    addressFrom(R0, 0);
    code.label("pass").exit(1);
    return code.assemble();
  }

  /**
   * Gives back the note of a connected socket. Otherwise the map is always full of closed sockets,
   * and each connect would have to evict one.
   */
  private Code release() {
    code.move(R6, R1)
        .load(HALF, R1, R6, PEER_PORT)
        .jumpIf(Condition.EQUAL, R1, 0, "pass")
        .store(HALF, FRAME, ENDPOINT_PORT, R1)
        .store(HALF, FRAME, ENDPOINT_PORT + 2, 0)
        .load(WORD, R1, R6, FAMILY)
        .jumpIf(Condition.EQUAL, R1, AF_INET6, "six");
    mapped(ENDPOINT, PEER_IP4);
    code.jump("note").label("six");
    for (int i = 0; i < 16; i += 4) {
      code.load(WORD, R1, R6, PEER_IP6 + i).store(WORD, FRAME, ENDPOINT + i, R1);
    }
    code.label("note");
    socketKey(ENDPOINT);
    code.map(R1, REVERSE.toString())
        .move(R2, FRAME)
        .calculate(Arithmetic.ADD, R2, KEY)
        .call(Helper.MAP_DELETE_ELEM);
    code.label("pass").exit(1);
    return code.assemble();
  }

  /** Copies the value that R0 points to; its key comes last, and must be ours still. */
  private void readService() {
    code.load(DOUBLE, R1, R0, Bytes.GENERATION).store(DOUBLE, FRAME, GENERATION, R1);
    code.load(DOUBLE, R1, R0, Bytes.COUNT).store(DOUBLE, FRAME, COUNT, R1);
    code.load(DOUBLE, R1, R0, Bytes.POOL).store(DOUBLE, FRAME, POOL, R1);
    for (int offset = 0; offset < 24; offset += 8) {
      code.load(DOUBLE, R1, R0, offset)
          .load(DOUBLE, R2, FRAME, SERVICE + offset)
          .jumpIf(Condition.NOT_EQUAL, R1, R2, "pass");
    }
  }

  /** Goes to {@code stay} if this network namespace was here before, and not too long ago. */
  private void sticky() {
    code.load(WORD, R1, FRAME, AFFINITY_SECONDS).jumpIf(Condition.EQUAL, R1, 0, "pick");
    affinityKey();
    lookup(AFFINITY, KEY, "pick");
    endpointFrom(R0, 8);
    code.load(DOUBLE, R7, R0, 0)
        .call(Helper.KTIME_GET_NS)
        .calculate(Arithmetic.SUBTRACT, R0, R7)
        .load(WORD, R1, FRAME, AFFINITY_SECONDS)
        .calculate(Arithmetic.MULTIPLY, R1, SECOND)
        .jumpIf(Condition.AT_LEAST, R0, R1, "pick");
    memberKey();
    lookup(MEMBERS, KEY, "pick");
    code.load(WORD, R1, R0, 0).jumpIf(Condition.EQUAL, R1, Bytes.CHOSEN, "stay");
  }

  /** Takes any endpoint. */
  private void pick() {
    code.label("pick")
        .call(Helper.GET_PRANDOM_U32)
        .load(WORD, R1, FRAME, COUNT)
        .calculate(Arithmetic.MULTIPLY, R0, R1)
        .calculate(Arithmetic.SHIFT_RIGHT, R0, 32)
        .store(DOUBLE, FRAME, KEY + 8, R0)
        .load(DOUBLE, R1, FRAME, GENERATION)
        .store(DOUBLE, FRAME, KEY, R1);
    lookup(SLOTS, KEY, "pass");
    endpointFrom(R0, 0);
  }

  /** Writes down where this network namespace went, and when. */
  private void remember() {
    code.load(WORD, R1, FRAME, AFFINITY_SECONDS).jumpIf(Condition.EQUAL, R1, 0, "remembered");
    affinityKey();
    code.call(Helper.KTIME_GET_NS).store(DOUBLE, FRAME, VALUE, R0);
    copy(FRAME, ENDPOINT, VALUE + 8);
    code.store(WORD, FRAME, VALUE + 28, 0);
    update(AFFINITY, KEY, VALUE);
    code.label("remembered");
  }

  /** Puts the caller's address and port at {@code place}. */
  private void addressTo(int place) {
    if (six) {
      for (int i = 0; i < 16; i += 4) {
        code.load(WORD, R1, R6, IP6 + i).store(WORD, FRAME, place + i, R1);
      }
    } else {
      mapped(place, IP4);
    }
    code.load(WORD, R1, R6, PORT)
        .store(HALF, FRAME, place + 16, R1)
        .store(HALF, FRAME, place + 18, 0);
  }

  /** Puts the IPv4 address at {@code field} of what the caller hands over at {@code place}. */
  private void mapped(int place, int field) {
    code.store(DOUBLE, FRAME, place, 0)
        .store(HALF, FRAME, place + 8, 0)
        .store(HALF, FRAME, place + 10, 0xffff)
        .load(WORD, R1, R6, field)
        .store(WORD, FRAME, place + 12, R1);
  }

  /** Gives the caller the address and port at {@code base} plus {@code offset}. */
  private void addressFrom(Register base, int offset) {
    for (int i = six ? 0 : 12; i < 16; i += 4) {
      code.load(WORD, R1, base, offset + i).store(WORD, R6, (six ? IP6 : IP4 - 12) + i, R1);
    }
    code.load(HALF, R1, base, offset + 16).store(WORD, R6, PORT, R1);
  }

  /** Copies an address and port to {@link #ENDPOINT}. */
  private void endpointFrom(Register base, int offset) {
    copy(base, offset, ENDPOINT);
  }

  private void copy(Register base, int from, int to) {
    for (int i = 0; i < 20; i += 4) {
      code.load(WORD, R1, base, from + i).store(WORD, FRAME, to + i, R1);
    }
  }

  /** The key of what is known of this socket and the address at {@code place}. */
  private void socketKey(int place) {
    copy(FRAME, place, KEY + 8);
    code.store(WORD, FRAME, KEY + 28, 0)
        .move(R1, R6)
        .call(Helper.GET_SOCKET_COOKIE)
        .store(DOUBLE, FRAME, KEY, R0);
  }

  private void affinityKey() {
    code.move(R1, R6)
        .call(Helper.GET_NETNS_COOKIE)
        .store(DOUBLE, FRAME, KEY, R0)
        .load(DOUBLE, R1, FRAME, POOL)
        .store(DOUBLE, FRAME, KEY + 8, R1);
  }

  private void memberKey() {
    code.load(WORD, R1, FRAME, POOL)
        .store(WORD, FRAME, KEY, R1)
        .load(WORD, R1, FRAME, ENDPOINT_PORT)
        .store(WORD, FRAME, KEY + 4, R1);
    for (int i = 0; i < 16; i += 4) {
      code.load(WORD, R1, FRAME, ENDPOINT + i).store(WORD, FRAME, KEY + 8 + i, R1);
    }
  }

  /** R0 becomes the address of the value, or it goes on at {@code missing}. */
  private void lookup(SocketMap map, int key, String missing) {
    code.map(R1, map.toString())
        .move(R2, FRAME)
        .calculate(Arithmetic.ADD, R2, key)
        .call(Helper.MAP_LOOKUP_ELEM)
        .jumpIf(Condition.EQUAL, R0, 0, missing);
  }

  private void update(SocketMap map, int key, int value) {
    code.map(R1, map.toString())
        .move(R2, FRAME)
        .calculate(Arithmetic.ADD, R2, key)
        .move(R3, FRAME)
        .calculate(Arithmetic.ADD, R3, value)
        .move(R4, 0)
        .call(Helper.MAP_UPDATE_ELEM);
  }
}

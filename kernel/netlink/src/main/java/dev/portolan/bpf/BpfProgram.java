package dev.portolan.bpf;

import dev.portolan.bpf.BpfCalls.Attributes;
import dev.portolan.netlink.CLibrary;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;

/** A program in the kernel. It lives as long as this process or a link holds it. */
public final class BpfProgram implements AutoCloseable {
  private static final int LOG_SIZE = 1 << 20;
  private static final int INFO_SIZE = 80;

  private final int fd;
  private final String name;

  private BpfProgram(int fd, String name) {
    this.fd = fd;
    this.name = name;
  }

  /**
   * Loads a program for {@code hook}.
   *
   * @param name up to 15 letters, digits and underscores, which {@code bpftool} shows
   * @throws BpfException with the instruction that the verifier rejects, and its reason
   */
  public static BpfProgram load(String name, SocketHook hook, Code code, Map<String, BpfMap> maps) {
    byte[] bytes =
        code.encode(map -> {
          BpfMap found = maps.get(map);
          if (found == null) {
            throw new IllegalArgumentException("program " + name + " needs map " + map);
          }
          return found.fd();
        });
    int fd;
    try (Attributes attributes = attributes(name, hook, bytes)) {
      fd = attributes.call(BpfCalls.PROGRAM_LOAD);
    }
    if (fd >= 0) {
      return new BpfProgram(fd, name);
    }
    if (fd == -BpfException.EPERM) {
      throw new BpfException("cannot load program " + name, BpfException.EPERM);
    }
    try (Attributes attributes = attributes(name, hook, bytes)) {
      BpfCalls.Room log = attributes.number(24, 1).number(28, LOG_SIZE).room(32, LOG_SIZE);
      int again = attributes.call(BpfCalls.PROGRAM_LOAD);
      if (again >= 0) {
        return new BpfProgram(again, name);
      }
      byte[] text = log.bytes();
      int length = 0;
      while (length < text.length && text[length] != 0) {
        length++;
      }
      if (length == 0) {
        throw new BpfException("cannot load program " + name, -fd);
      }
      String said = new String(text, 0, length, StandardCharsets.US_ASCII);
      throw new BpfException(
          "the kernel rejects program " + name, -fd, VerifierLog.sentence(code, said));
    }
  }

  private static Attributes attributes(String name, SocketHook hook, byte[] bytes) {
    return new Attributes()
        .number(0, hook.programType())
        .number(4, bytes.length / Instruction.SIZE)
        .bytes(8, bytes)
        .text(16, "GPL")
        .name(48, name)
        .number(68, hook.attachType());
  }

  int fd() {
    return fd;
  }

  /** Its name. */
  public String name() {
    return name;
  }

  /** What identifies its instructions, whatever maps they use. */
  public String tag() {
    return tag(fd);
  }

  /** The kernel's number for it. */
  public int id() {
    return info(fd).getInt(4);
  }

  /** What identifies the instructions of the program with the number {@code id}. */
  static String tagOf(int id) {
    int fd;
    try (Attributes attributes = new Attributes()) {
      fd = attributes.number(0, id).call(BpfCalls.PROGRAM_BY_ID, "open program " + id);
    }
    try {
      return tag(fd);
    } finally {
      CLibrary.close(fd);
    }
  }

  private static String tag(int fd) {
    byte[] tag = new byte[8];
    info(fd).get(8, tag);
    return HexFormat.of().formatHex(tag);
  }

  private static ByteBuffer info(int fd) {
    return ByteBuffer.wrap(BpfCalls.info(fd, INFO_SIZE, "a program"))
        .order(ByteOrder.nativeOrder());
  }

  @Override
  public void close() {
    CLibrary.close(fd);
  }
}

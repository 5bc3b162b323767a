package dev.portolan.bpf;

import dev.portolan.bpf.BpfCalls.Attributes;
import dev.portolan.netlink.CLibrary;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What lets a cgroup call a program: for the sockets of all processes in it and below. It lives as
 * long as this process or a pin holds it.
 */
public final class CgroupLink implements AutoCloseable {
  private static final int INFO_SIZE = 32;

  private final int fd;

  private CgroupLink(int fd) {
    this.fd = fd;
  }

  /** Attaches {@code program}, beside what others have attached there. */
  public static CgroupLink attach(Path cgroup, SocketHook hook, BpfProgram program) {
    int folder = BpfCalls.openFolder(cgroup.toString());
    if (folder < 0) {
      throw new BpfException("cannot open cgroup " + cgroup, -folder);
    }
    try (Attributes attributes = new Attributes()) {
      return new CgroupLink(
          attributes
              .number(0, program.fd())
              .number(4, folder)
              .number(8, hook.attachType())
              .call(BpfCalls.LINK_CREATE, "attach " + program.name() + " to cgroup " + cgroup));
    } finally {
      CLibrary.close(folder);
    }
  }

  /** The link that is pinned at {@code path}; nothing where there is none. */
  public static Optional<CgroupLink> pinned(Path path) {
    int fd = BpfCalls.openPin(path.toString());
    if (fd == -BpfException.ENOENT) {
      return Optional.empty();
    }
    if (fd < 0) {
      throw new BpfException("cannot open " + path, -fd);
    }
    return Optional.of(new CgroupLink(fd));
  }

  /** Keeps it under {@code path} in a bpffs when this process ends. */
  public void pin(Path path) {
    BpfCalls.pin(fd, path.toString());
  }

  /** Puts {@code program} in the place of the one before, in one step. */
  public void update(BpfProgram program) {
    try (Attributes attributes = new Attributes()) {
      attributes
          .number(0, fd)
          .number(4, program.fd())
          .call(BpfCalls.LINK_UPDATE, "replace the program of " + program.name());
    }
  }

  /** Whether it still lets {@code cgroup} call a program at {@code hook}. */
  public boolean isAttached(Path cgroup, SocketHook hook) {
    ByteBuffer info = info();
    return info.getLong(16) == cgroupId(cgroup) && info.getInt(24) == hook.attachType();
  }

  /** The kernel's number for its program. */
  public int programId() {
    return info().getInt(8);
  }

  /** What identifies the instructions of its program. */
  public String programTag() {
    return BpfProgram.tagOf(programId());
  }

  /** Ends it, although a pin may still stand for it. */
  public void detach() {
    try (Attributes attributes = new Attributes()) {
      attributes.number(0, fd).call(BpfCalls.LINK_DETACH, "detach a link");
    }
  }

  private ByteBuffer info() {
    return ByteBuffer.wrap(BpfCalls.info(fd, INFO_SIZE, "a link")).order(ByteOrder.nativeOrder());
  }

  /** The kernel knows a cgroup by the number of its folder. */
  private static long cgroupId(Path cgroup) {
    try {
      return Files.getAttribute(cgroup, "unix:ino") instanceof Long number ? number : -1;
    } catch (IOException e) {
      return -1;
    }
  }

  @Override
  public void close() {
    CLibrary.close(fd);
  }
}

package dev.portolan.inspection;

import dev.portolan.core.backend.BackendException;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.netlink.Errno;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.terminal.CommandFailure;
import java.util.function.Supplier;

/** Reads rules of a kernel for a command; where it refuses, the user gets a sentence. */
public final class KernelAccess {
  private KernelAccess() {}

  /** What the kernel gives; where it refuses, that is most often for a lack of rights. */
  public static <T> T read(Supplier<T> reading) {
    try {
      return reading.get();
    } catch (NetlinkException e) {
      if (e.errno() == Errno.EPERM || e.errno() == Errno.EACCES) {
        throw CommandFailure.refused(
            ErrorCode.PRIVILEGES,
            e.getMessage() + "; reading rules needs root, or CAP_NET_ADMIN: try it with sudo");
      }
      throw CommandFailure.refused(ErrorCode.HOST, String.valueOf(e.getMessage()));
    } catch (BackendException e) {
      throw CommandFailure.refused(e);
    }
  }
}

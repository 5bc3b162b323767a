package dev.portolan.nftables.table;

import dev.portolan.core.backend.BackendException;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.Errno;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.nftables.Nftables;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What tables of ours need of the machine, each with a sentence for when it is missing. */
final class Requirements {
  private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+).*");
  private static final int MAJOR = 5;
  private static final int MINOR = 13;

  private Requirements() {}

  /** Connects to nf_tables, or says why that cannot be. */
  static Nftables connect(Optional<Path> namespace) {
    checkKernel(System.getProperty("os.name", ""), System.getProperty("os.version", ""));
    Nftables kernel;
    try {
      kernel = new Nftables(namespace);
    } catch (NetlinkException e) {
      throw new BackendException(
          e.errno() == Errno.EPERM ? ErrorCode.PRIVILEGES : ErrorCode.BACKEND,
          "nftables: " + e.getMessage(),
          e);
    }
    try {
      kernel.generation();
      kernel.tables(AddressFamily.IPV4);
    } catch (NetlinkException e) {
      kernel.close();
      boolean forbidden = e.errno() == Errno.EPERM;
      throw new BackendException(
          forbidden ? ErrorCode.PRIVILEGES : ErrorCode.HOST,
          forbidden
              ? "nftables: not permitted; run as root or with CAP_NET_ADMIN"
              : "nftables: this kernel does not support nf_tables ("
                  + e.getMessage()
                  + "); load the module nf_tables",
          e);
    }
    return kernel;
  }

  /** Concatenated ranges and the rest of what we use came by 5.13, as for kube-proxy. */
  static void checkKernel(String system, String version) {
    Matcher matcher = VERSION.matcher(version);
    if (!system.equals("Linux") || !matcher.matches()) {
      throw new BackendException(
          ErrorCode.HOST, "nftables: needs Linux, this is " + system + " " + version);
    }
    int major = Integer.parseInt(matcher.group(1));
    int minor = Integer.parseInt(matcher.group(2));
    if (major < MAJOR || (major == MAJOR && minor < MINOR)) {
      throw new BackendException(
          ErrorCode.HOST,
          "nftables: needs kernel "
              + MAJOR
              + "."
              + MINOR
              + " or later, this is "
              + version
              + "; update the kernel or use another backend");
    }
  }
}

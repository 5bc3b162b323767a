package dev.portolan.server;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** The file of a unix socket. */
final class SocketFile {
  private static final int TYPE = 0xf000;
  private static final int SOCKET = 0xc000;

  /** As long as the kernel lets the path of a socket be. */
  private static final int LONGEST = 107;

  private SocketFile() {}

  /** Makes room for a socket at {@code path}: only an unused one is removed. */
  static void clear(Path path) {
    if (path.toString().length() > LONGEST) {
      throw new ListenException(
          "unix://%s: a socket path can have at most %d characters; choose a shorter one"
              .formatted(path, LONGEST),
          null);
    }
    try {
      Path folder = path.getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
        removeStale(path);
      }
    } catch (AccessDeniedException e) {
      throw new ListenException(
          "unix://%s: permission denied: %s; choose another path, or run as root"
              .formatted(path, e.getFile()),
          e);
    } catch (FileAlreadyExistsException e) {
      throw new ListenException(
          "unix://%s: %s is not a folder; choose another path".formatted(path, e.getFile()), e);
    } catch (IOException e) {
      throw new ListenException(
          "unix://%s: cannot listen: %s; choose another path".formatted(path, e.getMessage()), e);
    }
  }

  private static void removeStale(Path path) throws IOException {
    int mode = (int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
    if ((mode & TYPE) != SOCKET) {
      throw new ListenException(
          "unix://%s: the file exists and is not a socket; remove it or choose another path"
              .formatted(path),
          null);
    }
    if (answers(path)) {
      throw new ListenException(
          "unix://%s: in use by another program; stop it or choose another path".formatted(path),
          null);
    }
    Files.deleteIfExists(path);
  }

  private static boolean answers(Path path) throws IOException {
    try {
      SocketChannel.open(UnixDomainSocketAddress.of(path)).close();
      return true;
    } catch (ConnectException e) {
      return false;
    }
  }

  /** Lets the user of this process in, its group if {@code group}, and no one else. */
  static void protect(Path path, boolean group) throws IOException {
    Files.setPosixFilePermissions(
        path, PosixFilePermissions.fromString(group ? "rw-rw----" : "rw-------"));
  }
}

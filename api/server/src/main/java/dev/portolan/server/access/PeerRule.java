package dev.portolan.server.access;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.HashSet;
import java.util.Set;

/** Which users of this machine may connect to a unix socket. */
public record PeerRule(Set<UserPrincipal> users, Set<GroupPrincipal> groups) {
  public PeerRule {
    users = Set.copyOf(users);
    groups = Set.copyOf(groups);
  }

  /**
   * Root, this process's own user, and those that {@code access} names.
   *
   * @throws UncheckedIOException if this machine does not say who they are
   */
  public static PeerRule of(Access access) {
    try {
      return found(access);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static PeerRule found(Access access) throws IOException {
    UserPrincipalLookupService names = FileSystems.getDefault().getUserPrincipalLookupService();
    PosixFileAttributes self =
        Files.readAttributes(Path.of("/proc/self"), PosixFileAttributes.class);
    Set<UserPrincipal> users = new HashSet<>(Set.of(self.owner()));
    users.add(names.lookupPrincipalByName("0"));
    for (int uid : access.uids()) {
      users.add(names.lookupPrincipalByName(String.valueOf(uid)));
    }
    Set<GroupPrincipal> groups = new HashSet<>();
    if (access.ownGroup()) {
      groups.add(self.group());
    }
    for (int gid : access.gids()) {
      groups.add(names.lookupPrincipalByGroupName(String.valueOf(gid)));
    }
    return new PeerRule(users, groups);
  }

  /** Whether a process of {@code user} and {@code group} may connect. */
  public boolean allows(UserPrincipal user, GroupPrincipal group) {
    return users.contains(user) || groups.contains(group);
  }
}

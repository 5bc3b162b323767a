package dev.portolan.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What a package installs below {@code /}: the installation tree with a script that starts it,
 * units for systemd, a configuration, manual pages and completions.
 *
 * @param folder where it is put together
 */
record SystemPackage(Path folder) {
  private static final Set<PosixFilePermission> PROGRAM = mode("rwxr-xr-x");
  private static final Set<PosixFilePermission> DATA = mode("rw-r--r--");

  /** zstd's level; dpkg takes nearly as long for less. */
  private static final int HARD = 19;

  /** What the script is also called; each name is a command. */
  private static final List<String> PLUGINS =
      List.of("kubectl-portolan", "kubectl_complete-portolan");

  /** Writes the .deb, the .tar.gz and the .zip into the project's folder {@code dist}. */
  static void writeAll(Project project, InstallationTree tree) throws IOException {
    String version = project.version();
    String architecture = Project.architecture();
    Path dist = Files.createDirectories(project.root().resolve("dist"));
    SystemPackage files =
        new SystemPackage(project.root().resolve("workshop/packaging/target/package"));
    files.build(project, tree);
    DebianPackage debian = new DebianPackage(version, architecture, HARD);
    debian.write(project, files, dist.resolve(debian.fileName()));
    Tarball.write(
        project,
        files,
        version,
        dist.resolve("portolan-" + version + "-linux-" + architecture + ".tar.gz"));
    WindowsArchive.write(
        project, tree.lib(), version, dist.resolve("portolan-" + version + "-windows.zip"));
  }

  /** Makes it, replacing what was there. */
  void build(Project project, InstallationTree tree) throws IOException {
    FileTree.delete(folder);
    Path home = folder.resolve(InstallationTree.HOME);
    for (String part : List.of("runtime", "lib", "cache", "LICENSE", ThirdParty.NAME)) {
      if (Files.exists(tree.home().resolve(part))) {
        FileTree.copy(tree.home().resolve(part), home.resolve(part));
      }
    }
    FileTree.copy(project.root().resolve("workshop/packaging/src/main/files/root"), folder);
    Files.writeString(
        home.resolve("java.options"),
        Files.readString(project.javaOptions())
            + """
            # No tool may attach to it, so nothing is written to /tmp.
            -XX:+DisableAttachMechanism
            """);
    Files.copy(project.brainOptions(), home.resolve("brain.options"));
    links(home);
    documents(project, home);
    finish(project);
  }

  private void links(Path home) throws IOException {
    Path programs = Files.createDirectories(folder.resolve("usr/bin"));
    List<String> names = new ArrayList<>(PLUGINS);
    for (String name : PLUGINS) {
      Files.createSymbolicLink(home.resolve("bin").resolve(name), Path.of("portolan"));
    }
    names.add("portolan");
    for (String name : names) {
      Files.createSymbolicLink(
          programs.resolve(name),
          // Links from one folder of the root to another are absolute, by Debian's policy.
          Path.of("/").resolve(InstallationTree.HOME).resolve("bin").resolve(name));
    }
  }

  /** What the program itself says about its commands. */
  private void documents(Project project, Path home) throws IOException {
    String java = home.resolve("runtime/bin/java").toString();
    String jar = home.resolve("lib/portolan-cli.jar").toString();
    Path pages = Files.createDirectories(folder.resolve("usr/share/man/man1"));
    new ManPages(
            project.root().resolve("docs/reference"),
            Subprocess.output(java, "-jar", jar, "--help"),
            Subprocess.output(java, "-jar", jar, "kubectl"))
        .write(
            Subprocess.output(java, "-jar", jar, "--version").strip(),
            project.time().atOffset(ZoneOffset.UTC).toLocalDate(),
            pages);
    write(
        "usr/share/bash-completion/completions/portolan",
        Subprocess.output(java, "-jar", jar, "completion", "bash"));
    write(
        "usr/share/fish/vendor_completions.d/portolan.fish",
        Subprocess.output(java, "-jar", jar, "completion", "fish"));
    write(
        "usr/share/doc/portolan/CHANGELOG.md",
        Files.readString(project.root().resolve("CHANGELOG.md")));
    List<String> gzip = new ArrayList<>(List.of("gzip", "-9n"));
    try (Stream<Path> files = Files.list(pages)) {
      files.map(Path::toString).forEach(gzip::add);
    }
    gzip.add(folder.resolve("usr/share/doc/portolan/CHANGELOG.md").toString());
    Subprocess.output(gzip.toArray(String[]::new));
  }

  private void write(String path, String text) throws IOException {
    Path file = folder.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  /** Times and permissions that do not depend on who builds, and when. */
  private void finish(Project project) throws IOException {
    FileTime time = FileTime.from(project.time());
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.toList()) {
        if (Files.isSymbolicLink(file)) {
          continue;
        }
        boolean isProgram = Files.isDirectory(file) || Files.isExecutable(file);
        Files.setPosixFilePermissions(file, isProgram ? PROGRAM : DATA);
        Files.setLastModifiedTime(file, time);
      }
    }
  }

  /** The sum of all files, in KiB, as Debian counts it. */
  long kibibytes() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      long bytes = 0;
      for (Path file :
          files.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)).toList()) {
        bytes += (Files.size(file) + 1023) / 1024 * 1024;
      }
      return bytes / 1024;
    }
  }

  private static Set<PosixFilePermission> mode(String text) {
    return PosixFilePermissions.fromString(text);
  }
}

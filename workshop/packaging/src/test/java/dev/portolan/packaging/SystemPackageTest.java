package dev.portolan.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Packages are made of an installation tree, installed and used. The tree is a small one: its
 * runtime is the JDK that runs the test, and its program the classes that the test sees.
 */
final class SystemPackageTest {
  private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
  private static final DebianPackage PACKAGE = new DebianPackage("9.8.7-SNAPSHOT", "amd64", 1);

  @TempDir private static Path folder;
  private static Path deb;
  private static Path tarball;
  private static Path again;
  private static Path installed;

  @BeforeAll
  static void build() throws IOException {
    InstallationTree tree = new InstallationTree(folder.resolve("tree"));
    Files.createDirectories(tree.runtime().resolve("bin"));
    Path java =
        Files.writeString(
            tree.runtime().resolve("bin/java"),
            "#!/bin/sh\nexec " + System.getProperty("java.home") + "/bin/java \"$@\"\n");
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.createDirectories(tree.lib());
    program(tree.lib().resolve("portolan-cli.jar"));
    Files.createDirectories(tree.daemonCache().getParent());
    Files.writeString(tree.daemonCache(), "not a cache, and the JVM goes on without");
    Files.writeString(tree.commandCache(), "not a cache, and the JVM goes on without");

    deb = Files.createDirectories(folder.resolve("first")).resolve(PACKAGE.fileName());
    tarball = deb.resolveSibling("portolan.tar.gz");
    again = Files.createDirectories(folder.resolve("second"));
    write(tree, deb, tarball);
    write(tree, again.resolve(deb.getFileName()), again.resolve(tarball.getFileName()));
    installed = folder.resolve("installed");
    Subprocess.output("dpkg-deb", "--extract", deb.toString(), installed.toString());
  }

  private static void write(InstallationTree tree, Path deb, Path tarball) throws IOException {
    Project project = new Project(ROOT);
    SystemPackage files = new SystemPackage(deb.resolveSibling("root"));
    files.build(project, tree);
    PACKAGE.write(project, files, deb);
    Tarball.write(project, files, PACKAGE.version(), tarball);
  }

  private static void program(Path jar) throws IOException {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.put(Attributes.Name.MAIN_CLASS, "dev.portolan.cli.Main");
    attributes.put(
        Attributes.Name.CLASS_PATH,
        String.join(
            " ",
            Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(entry -> Path.of(entry).toUri().toString())
                .toList()));
    new JarOutputStream(Files.newOutputStream(jar), manifest).close();
  }

  @Test
  void theArchiveForWindowsHasALauncherForItsJars() throws IOException {
    Path lib = folder.resolve("tree").resolve(InstallationTree.HOME).resolve("lib");
    Path zip = folder.resolve("portolan.zip");
    WindowsArchive.write(new Project(ROOT), lib, "9.8.7", zip);
    byte[] first = Files.readAllBytes(zip);
    WindowsArchive.write(new Project(ROOT), lib, "9.8.7", zip);
    assertThat(Files.readAllBytes(zip)).isEqualTo(first);
    try (FileSystem files = FileSystems.newFileSystem(zip)) {
      Path home = files.getPath("portolan-9.8.7");
      assertThat(Files.readString(home.resolve("portolan.cmd")))
          .startsWith("@echo off\r\n")
          .contains("%~dp0java.options")
          .contains("%~dp0lib\\portolan-cli.jar");
      assertThat(home.resolve("lib/portolan-cli.jar")).isNotEmptyFile();
      assertThat(home.resolve("LICENSE")).isNotEmptyFile();
      assertThat(home.resolve("THIRD-PARTY")).isNotEmptyFile();
      assertThat(Files.readAllLines(home.resolve("java.options")))
          .contains("-XX:+UseSerialGC")
          .noneMatch(line -> line.contains("TrimNativeHeap"));
    }
  }

  @Test
  void twoBuildsAreEqual() {
    assertThat(again.resolve(deb.getFileName())).hasSameBinaryContentAs(deb);
    assertThat(again.resolve(tarball.getFileName())).hasSameBinaryContentAs(tarball);
  }

  @Test
  void theContentsAreThese() throws IOException {
    String listing =
        Subprocess.output("dpkg-deb", "--contents", deb.toString())
            // Permissions and names. Each command has a manual page.
            .replaceAll("(?m)^(\\S+ \\S+) +\\d+ \\S+ \\S+ ", "$1 ")
            .replaceAll("(?m)^.*/man1/portolan-.*\n", "");
    assertThat(listing).isEqualTo(Files.readString(Path.of("src/test/resources/deb-contents.txt")));
  }

  @Test
  void dpkgKnowsWhatItIs() {
    assertThat(field("Package")).isEqualTo("portolan");
    // Older than the release that follows.
    assertThat(field("Version")).isEqualTo("9.8.7~SNAPSHOT");
    assertThat(field("Architecture")).isEqualTo("amd64");
    assertThat(Integer.parseInt(field("Installed-Size"))).isPositive();
    assertThat(Subprocess.output("dpkg-deb", "--info", deb.toString(), "conffiles").strip())
        .isEqualTo("/etc/portolan/config.yaml");
  }

  private static String field(String name) {
    return Subprocess.output("dpkg-deb", "--field", deb.toString(), name).strip();
  }

  @Test
  void dpkgInstallsAndRemovesIt() throws IOException {
    Path root = folder.resolve("root");
    for (String part : List.of("info", "updates", "triggers")) {
      Files.createDirectories(root.resolve("var/lib/dpkg").resolve(part));
    }
    Files.writeString(
        root.resolve("var/lib/dpkg/status"),
        """
        Package: libc6
        Status: install ok installed
        Version: 2.36
        Architecture: amd64
        Maintainer: nobody
        Description: needed
        """);
    Files.createFile(root.resolve("var/lib/dpkg/available"));
    // Scripts would run in the root; nothing of systemd is there, as in an image that is being
    // built.
    dpkg(root, "--install", deb.toString());
    assertThat(root.resolve("usr/bin/portolan")).isSymbolicLink();
    Path configuration = root.resolve("etc/portolan/config.yaml");
    Files.writeString(configuration, Files.readString(configuration) + "# mine\n");

    dpkg(root, "--force-confold", "--install", deb.toString());
    assertThat(configuration).content().endsWith("# mine\n");
    dpkg(root, "--remove", "portolan");
    assertThat(root.resolve("opt")).doesNotExist();
    assertThat(configuration).exists();
    dpkg(root, "--purge", "portolan");
    assertThat(configuration).doesNotExist();
  }

  private static void dpkg(Path root, String... words) {
    String[] all = new String[words.length + 5];
    List<String> common =
        List.of(
            "dpkg",
            "--log=/dev/null",
            "--force-not-root",
            "--force-script-chrootless",
            "--root=" + root);
    System.arraycopy(common.toArray(String[]::new), 0, all, 0, 5);
    System.arraycopy(words, 0, all, 5, words.length);
    Subprocess.output(all);
  }

  @Test
  void whatWasInstalledRuns() {
    assertThat(
            Subprocess.output(installed.resolve("opt/portolan/bin/portolan").toString(), "version"))
        .contains("kubernetes");
    assertThat(Subprocess.output(installed.resolve("opt/portolan/bin/kubectl-portolan").toString()))
        .contains("Usage: kubectl portolan COMMAND");
    assertThat(
            Subprocess.output(
                installed.resolve("opt/portolan/bin/kubectl_complete-portolan").toString(), "expl"))
        .startsWith("explain\t");
  }

  @Test
  void theConfigurationIsValid() {
    assertThat(
            Subprocess.output(
                installed.resolve("opt/portolan/bin/portolan").toString(),
                "config",
                "validate",
                installed.resolve("etc/portolan/config.yaml").toString()))
        .contains("valid");
  }

  @Test
  void theFolderOfTheTarballWorksWhereverItIs() throws IOException {
    Path place = Files.createDirectories(folder.resolve("some where"));
    Subprocess.output("tar", "-C", place.toString(), "-xzf", tarball.toString());
    Path home = place.resolve("portolan-9.8.7-SNAPSHOT");

    assertThat(Subprocess.output(home.resolve("bin/portolan").toString(), "version"))
        .contains("kubernetes");
    assertThat(Subprocess.output(home.resolve("bin/portolan").toString(), "brain", "--help"))
        .contains("portolan brain --from");
    assertThat(home.resolve("systemd/portolan.service")).exists();
    assertThat(home.resolve("share/man/man1/portolan.1.gz")).exists();
  }
}

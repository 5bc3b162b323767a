package dev.portolan.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;

/**
 * A .deb. The same files give the same bytes: dpkg-deb takes its times from SOURCE_DATE_EPOCH, and
 * what it compresses with several threads would depend on their number.
 *
 * @param version the version of Portolan
 * @param level how hard it is compressed, as zstd counts it
 */
record DebianPackage(String version, String architecture, int level) {
  /** As {@code portolan_0.2.0_amd64.deb}. */
  String fileName() {
    return "portolan_" + version + "_" + architecture + ".deb";
  }

  /** The version as Debian orders it: what comes before a release is older than that. */
  String debianVersion() {
    return version.replace('-', '~');
  }

  /** Adds what dpkg needs to {@code files}, and writes the package. */
  void write(Project project, SystemPackage files, Path to) throws IOException {
    Path own = project.root().resolve("workshop/packaging/src/main/files/deb");
    changelog(project, files);
    Path control = Files.createDirectories(files.folder().resolve("DEBIAN"));
    FileTree.copy(own, control);
    Path fields = control.resolve("control");
    Files.writeString(
        fields,
        Files.readString(fields)
            .replace("@VERSION@", debianVersion())
            .replace("@ARCHITECTURE@", architecture)
            .replace("@SIZE@", Long.toString(files.kibibytes())));
    Subprocess.output(
        "env",
        "SOURCE_DATE_EPOCH=" + project.time().getEpochSecond(),
        "dpkg-deb",
        "--root-owner-group",
        "-Zzstd",
        "-z" + level,
        "--threads-max=1",
        "--build",
        files.folder().toString(),
        to.toString());
    FileTree.delete(control);
  }

  /** Debian's own list of changes, which says where ours is. */
  private void changelog(Project project, SystemPackage files) throws IOException {
    Path file = files.folder().resolve("usr/share/doc/portolan/changelog");
    Files.writeString(
        file,
        String.join(
            "\n",
            List.of(
                "portolan (" + debianVersion() + ") stable; urgency=medium",
                "",
                "  * See CHANGELOG.md.gz.",
                "",
                " -- The authors of Portolan <maintainers@portolan.dev>  "
                    + DateTimeFormatter.RFC_1123_DATE_TIME
                        .format(project.time().atOffset(ZoneOffset.UTC))
                        .replace("GMT", "+0000"),
                "")));
    Subprocess.output("gzip", "-9nf", file.toString());
  }
}

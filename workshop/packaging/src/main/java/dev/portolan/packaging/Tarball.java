package dev.portolan.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The same for machines without dpkg, and for people without root: a folder that works wherever it
 * is unpacked.
 */
final class Tarball {
  /** Where what a package installs is in the folder. */
  private static final Map<String, String> PLACES =
      Map.of(
          InstallationTree.HOME,
          "",
          "etc/portolan",
          "etc",
          "usr/lib/systemd/system",
          "systemd",
          "usr/share/man",
          "share/man",
          "usr/share/bash-completion/completions",
          "share/completions/bash",
          "usr/share/zsh/vendor-completions",
          "share/completions/zsh",
          "usr/share/fish/vendor_completions.d",
          "share/completions/fish",
          "usr/share/doc/portolan/CHANGELOG.md.gz",
          "CHANGELOG.md.gz");

  private Tarball() {}

  /** Writes {@code name}.tar.gz with one folder, {@code portolan-VERSION}. */
  static void write(Project project, SystemPackage files, String version, Path to)
      throws IOException {
    Layer layer = new Layer("tarball");
    String folder = "portolan-" + version;
    for (Map.Entry<String, String> place : PLACES.entrySet()) {
      Path from = files.folder().resolve(place.getKey());
      String path = place.getValue().isEmpty() ? folder : folder + "/" + place.getValue();
      if (Files.isDirectory(from)) {
        layer.tree(path, from);
      } else {
        layer.file(path, from);
      }
    }
    Files.deleteIfExists(to);
    Path tar = to.resolveSibling(to.getFileName() + ".tmp");
    layer.write(tar, project.time());
    Subprocess.filter(tar, to, List.of("gzip", "-9n"));
    Files.delete(tar);
  }
}

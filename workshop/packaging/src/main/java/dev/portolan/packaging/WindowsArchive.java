package dev.portolan.packaging;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The program for Windows: a folder with the jars and a launcher. Java is not in it, because a
 * runtime for Windows is linked on Windows; the launcher finds the node's own.
 */
final class WindowsArchive {
  /** Options that only Linux knows. */
  private static final List<String> OF_LINUX = List.of("-XX:TrimNativeHeapInterval=");

  private WindowsArchive() {}

  /**
   * Writes a .zip with one folder, {@code portolan-VERSION}.
   *
   * @param lib the folder with the jars
   */
  static void write(Project project, Path lib, String version, Path to) throws IOException {
    Path launcher =
        project.root().resolve("workshop/packaging/src/main/files/windows/portolan.cmd");
    List<Path> jars;
    try (Stream<Path> files = Files.list(lib)) {
      jars = files.sorted().toList();
    }
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(to))) {
      Folder folder = new Folder(zip, "portolan-" + version + "/", project.time());
      folder.add("LICENSE", Files.readAllBytes(project.root().resolve("LICENSE")));
      folder.add(ThirdParty.NAME, ThirdParty.text(project, jars).getBytes(StandardCharsets.UTF_8));
      folder.add("java.options", options(project).getBytes(StandardCharsets.UTF_8));
      // However it was checked out, Windows reads lines that end with both characters.
      folder.add(
          "portolan.cmd",
          Files.readString(launcher)
              .lines()
              .map(line -> line + "\r\n")
              .collect(Collectors.joining())
              .getBytes(StandardCharsets.US_ASCII));
      for (Path jar : jars) {
        folder.add("lib/" + jar.getFileName(), Files.readAllBytes(jar));
      }
    }
  }

  private static String options(Project project) throws IOException {
    return Files.readString(project.javaOptions())
        .lines()
        .filter(line -> OF_LINUX.stream().noneMatch(line::startsWith))
        .map(line -> line + "\n")
        .collect(Collectors.joining());
  }

  /** A folder of an archive, whose files all have one time. */
  private record Folder(ZipOutputStream zip, String name, Instant time) {
    void add(String path, byte[] content) throws IOException {
      ZipEntry entry = new ZipEntry(name + path);
      entry.setTime(time.toEpochMilli());
      zip.putNextEntry(entry);
      zip.write(content);
      zip.closeEntry();
    }
  }
}

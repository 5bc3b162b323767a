package dev.portolan.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Files of this machine that belong to Debian's packages: the C library, and programs. Which
 * libraries are needed is asked of the loader, so that nothing here knows an architecture.
 */
final class DebianFiles {
  /** A line of ldd: a library and where it was found, or the loader alone. */
  private static final Pattern LIBRARY = Pattern.compile("(?:=> )?(/\\S+) \\(0x");

  private final Set<String> packages = new TreeSet<>();
  private final Layer layer;
  private final Predicate<String> present;

  /** Adds to a layer what is not {@code present} already, as a path below {@code /}. */
  DebianFiles(Layer layer, Predicate<String> present) {
    this.layer = layer;
    this.present = present;
  }

  /** Adds the libraries that programs and libraries are linked to. */
  DebianFiles librariesOf(List<Path> files) {
    TreeSet<String> libraries = new TreeSet<>();
    for (Path file : files) {
      LIBRARY
          .matcher(Subprocess.output("ldd", file.toString()))
          .results()
          .map(found -> found.group(1))
          .filter(library -> !present.test(library.substring(1)))
          .forEach(libraries::add);
    }
    libraries.forEach(this::file);
    return this;
  }

  /** Adds a file, with what is behind it where it is a link. */
  DebianFiles file(String path) {
    packages.add(owner(path));
    layer.file(path.substring(1), Path.of(path));
    return this;
  }

  /** Says in the layer which packages the files are from: licences, and what scanners read. */
  void describe() throws IOException {
    for (String name : packages) {
      String plain = name.replaceAll(":.*", "");
      layer.text(
          "var/lib/dpkg/status.d/" + plain,
          Subprocess.output(
              "dpkg-query",
              "--show",
              "--showformat=Package: ${Package}\\nStatus: ${Status}\\nArchitecture:"
                  + " ${Architecture}\\nSource: ${source:Package}\\nVersion:"
                  + " ${Version}\\nMaintainer: ${Maintainer}\\n",
              name));
      Path licence = Path.of("/usr/share/doc", plain, "copyright");
      if (Files.exists(licence)) {
        layer.file(licence.toString().substring(1), licence);
      }
    }
  }

  /** The files of a package, as their paths. */
  static List<String> of(String name) {
    return Subprocess.output("dpkg-query", "--listfiles", name).lines().toList();
  }

  /** The package of a file, which an older release may know by its path below /usr. */
  private static String owner(String path) {
    return Stream.of(path, "/usr" + path)
        .flatMap(known -> Subprocess.ask("dpkg-query", "--search", known).lines())
        .map(line -> line.replaceAll(": /.*", ""))
        .findFirst()
        .orElseThrow(() -> new BuildFailure(path + " belongs to no package of Debian"));
  }
}

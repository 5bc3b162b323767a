package dev.portolan.packaging;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The libraries as a Maven repository in a folder, which a build uses by its {@code file:} address.
 * Unlike what Maven deploys, it has no timestamps.
 *
 * @param built the folder of a module in which Maven has built
 * @param kinds what is there of each library, beside its pom
 */
record MavenRepository(Path folder, String built, List<String> kinds) {
  /** A repository of what the profiles launcher and release build. */
  static MavenRepository ofRelease(Path folder) {
    return new MavenRepository(
        folder, "target/launcher", List.of(".jar", "-sources.jar", "-javadoc.jar"));
  }

  private static final Pattern MODULE = Pattern.compile("<module>(.*?)</module>");
  private static final Pattern ARTIFACT =
      Pattern.compile("</parent>\\s*<artifactId>(.*?)</artifactId>");
  private static final Pattern MANAGED = Pattern.compile("<artifactId>(portolan-.*?)</artifactId>");
  private static final String PARENT = "portolan-parent";
  private static final String BOM = "portolan-bom";

  /** Writes what the BOM lists, the BOM and the parent of them all, as Maven built them. */
  void write(Project project) throws IOException {
    String version = project.version();
    FileTree.delete(folder);
    pom(project.root(), PARENT, version);
    Set<String> missing = libraries(project);
    for (String module : modules(project)) {
      Path source = project.root().resolve(module);
      Matcher matcher = ARTIFACT.matcher(Files.readString(source.resolve("pom.xml")));
      if (!matcher.find()) {
        throw new BuildFailure(module + "/pom.xml: has no artifactId after its parent");
      }
      String name = matcher.group(1);
      if (name.equals(BOM)) {
        pom(source, name, version);
      } else if (missing.remove(name)) {
        pom(source, name, version);
        for (String kind : kinds) {
          put(source.resolve(built).resolve(name + "-" + version + kind), name, version, kind);
        }
      }
    }
    if (!missing.isEmpty()) {
      throw new BuildFailure("workshop/bom/pom.xml: lists what no module makes: " + missing);
    }
  }

  private static List<String> modules(Project project) throws IOException {
    List<String> modules = new ArrayList<>();
    Matcher matcher = MODULE.matcher(Files.readString(project.root().resolve("pom.xml")));
    while (matcher.find()) {
      modules.add(matcher.group(1));
    }
    return modules;
  }

  private static Set<String> libraries(Project project) throws IOException {
    Set<String> names = new TreeSet<>();
    Matcher matcher =
        MANAGED.matcher(Files.readString(project.root().resolve("workshop/bom/pom.xml")));
    while (matcher.find()) {
      names.add(matcher.group(1));
    }
    names.removeAll(Set.of(PARENT, BOM));
    return names;
  }

  private void pom(Path module, String name, String version) throws IOException {
    put(module.resolve(built).resolve("pom.xml"), name, version, ".pom");
  }

  /** Copies a file to its place, with the checksum that Maven asks for. */
  private void put(Path file, String name, String version, String kind) throws IOException {
    if (!Files.exists(file)) {
      throw new BuildFailure(file + " is missing; Maven has not built it");
    }
    Path place =
        Files.createDirectories(folder.resolve("dev/portolan").resolve(name).resolve(version));
    Path copy = Files.copy(file, place.resolve(name + "-" + version + kind));
    Files.writeString(
        place.resolve(copy.getFileName() + ".sha1"), sha1(copy), StandardCharsets.US_ASCII);
  }

  private static String sha1(Path file) throws IOException {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-1").digest(Files.readAllBytes(file)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}

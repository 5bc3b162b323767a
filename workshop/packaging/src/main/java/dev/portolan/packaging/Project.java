package dev.portolan.packaging;

import dev.portolan.training.AotCache;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The source tree and what Maven has built in it. */
record Project(Path root) {
  private static final String LIB = "tools/cli/target/portolan/lib";
  private static final String PROGRAM = "portolan-cli.jar";
  private static final Pattern TIME =
      Pattern.compile("<project.build.outputTimestamp>(.*?)</project.build.outputTimestamp>");

  /** The jars of the program: those that its manifest names, as older ones may lie beside them. */
  List<Path> jars() throws IOException {
    String others = manifest().getValue(Attributes.Name.CLASS_PATH);
    return Stream.concat(Stream.of(PROGRAM), Stream.of(others.split(" ")))
        .map(root.resolve(LIB)::resolve)
        .sorted()
        .toList();
  }

  /** How the JVM runs the program. */
  Path javaOptions() {
    return root.resolve("tools/cli/java.options");
  }

  /** What is different where the program is a brain. */
  Path brainOptions() {
    return root.resolve("tools/cli/brain.options");
  }

  /** Manifests to train commands with. */
  Path examples() {
    return root.resolve("examples/shop");
  }

  /** Where the training's classes are. */
  Path training() {
    try {
      return Path.of(AotCache.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The version that the program says it has. */
  String version() throws IOException {
    return manifest().getValue(Attributes.Name.IMPLEMENTATION_VERSION);
  }

  private Attributes manifest() throws IOException {
    try (JarFile jar = new JarFile(root.resolve(LIB).resolve(PROGRAM).toFile())) {
      return jar.getManifest().getMainAttributes();
    }
  }

  /** The architecture of the JDK, as images and Debian call it. */
  static String architecture() {
    String architecture = System.getProperty("os.arch");
    return architecture.equals("aarch64") ? "arm64" : architecture;
  }

  /** The time that every file gets, so that the same sources give the same bytes. */
  Instant time() throws IOException {
    Matcher matcher = TIME.matcher(Files.readString(root.resolve("pom.xml")));
    if (!matcher.find()) {
      throw new BuildFailure("pom.xml: has no project.build.outputTimestamp");
    }
    return Instant.parse(matcher.group(1));
  }
}

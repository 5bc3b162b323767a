package dev.portolan.packaging;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A Java runtime with just the modules that the program needs, linked out of the JDK that runs this
 * build.
 */
final class JavaRuntime {
  /** Gson can write java.sql's dates; nothing here has any. */
  private static final Set<String> UNUSED = Set.of("java.sql");

  private static final Set<String> UNUSED_PROGRAMS = Set.of("jfr", "keytool");

  /** What gRPC logs with, which jdeps counts as a part of java.sql. */
  private static final Set<String> IMPLIED = Set.of("java.logging");

  private JavaRuntime() {}

  /** Links a runtime for {@code jars} into {@code folder}, which must not exist yet. */
  static void link(List<Path> jars, Path folder) throws IOException {
    // In a process of its own: a second run in one JVM writes some classes in another way.
    var _ =
        Subprocess.output(
            Path.of(System.getProperty("java.home"), "bin/jlink").toString(),
            "--add-modules",
            String.join(",", modules(jars)),
            // Smaller than with a compression of its own once it is in a compressed layer or
            // package.
            "--compress=zip-0",
            "--strip-java-debug-attributes",
            "--no-header-files",
            "--no-man-pages",
            "--output",
            folder.toString());
    for (String program : UNUSED_PROGRAMS) {
      Files.deleteIfExists(folder.resolve("bin").resolve(program));
    }
    strip(folder);
  }

  /** The modules that the classes of the jars use. */
  static Set<String> modules(List<Path> jars) {
    String path = jars.stream().map(Path::toString).collect(Collectors.joining(":"));
    List<String> words =
        new ArrayList<>(List.of("--multi-release", String.valueOf(Runtime.version().feature())));
    words.addAll(List.of("--ignore-missing-deps", "--print-module-deps", "--class-path", path));
    // What libraries could use, but we do not, is not needed.
    jars.stream()
        .filter(jar -> jar.getFileName().toString().startsWith("portolan-"))
        .forEach(jar -> words.add(jar.toString()));
    Set<String> modules = new TreeSet<>(List.of(tool("jdeps", words).strip().split(",")));
    modules.removeAll(UNUSED);
    modules.addAll(IMPLIED);
    return modules;
  }

  private static String tool(String name, List<String> words) {
    ToolProvider tool =
        ToolProvider.findFirst(name)
            .orElseThrow(() -> new BuildFailure("the JDK has no " + name + ": use a whole JDK"));
    StringWriter out = new StringWriter();
    int status =
        tool.run(
            new PrintWriter(out, true), new PrintWriter(out, true), words.toArray(String[]::new));
    if (status != 0) {
      throw new BuildFailure(name + " failed: " + out.toString().strip());
    }
    return out.toString();
  }

  /** Removes the symbols that only a debugger of the JVM itself needs. */
  private static void strip(Path folder) throws IOException {
    List<String> words = new ArrayList<>(List.of("strip", "--strip-unneeded"));
    words.add(folder.resolve("bin/java").toString());
    try (Stream<Path> files = Files.walk(folder.resolve("lib"))) {
      files
          .filter(file -> file.toString().endsWith(".so"))
          .sorted()
          .forEach(file -> words.add(file.toString()));
    }
    var _ = Subprocess.output(words.toArray(String[]::new));
  }
}

package dev.portolan.training;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Loads what the daemon uses, so that the AOT cache has it where the daemon itself cannot be run: a
 * build without a network of its own must not touch a kernel.
 */
final class ClassesOfTheDaemon {
  private static final List<String> OF_THE_JDK =
      List.of(
          "java.net.http/jdk/internal/net/http",
          "java.base/sun/security/ssl",
          "java.net.http/java");

  private static final Pattern OUR_OWN = Pattern.compile("dev/portolan/.*[.]class");

  private ClassesOfTheDaemon() {}

  static void load() {
    Path modules = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules");
    OF_THE_JDK.forEach(folder -> loadBelow(modules, modules.resolve(folder)));
    Stream.of(System.getProperty("java.class.path").split(":", -1))
        .forEach(ClassesOfTheDaemon::jar);
  }

  private static void loadBelow(Path modules, Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      files
          .map(modules::relativize)
          .filter(file -> file.toString().endsWith(".class"))
          .map(file -> file.subpath(1, file.getNameCount()).toString())
          .forEach(ClassesOfTheDaemon::load);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Loads those of our own in a jar, and in those that its manifest names. */
  private static void jar(String name) {
    Path path = Path.of(name);
    try (JarFile jar = new JarFile(path.toFile())) {
      jar.stream()
          .map(entry -> entry.getName())
          .filter(entry -> OUR_OWN.matcher(entry).matches())
          .forEach(ClassesOfTheDaemon::load);
      String others = jar.getManifest().getMainAttributes().getValue("Class-Path");
      if (others != null) {
        Stream.of(others.split(" ", -1))
            .forEach(other -> jar(path.resolveSibling(other).toString()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void load(String file) {
    String name = file.substring(0, file.length() - ".class".length()).replace('/', '.');
    try {
      Class.forName(name, false, ClassLoader.getSystemClassLoader());
    } catch (ClassNotFoundException | LinkageError e) {
      // The cache does without it.
    }
  }
}

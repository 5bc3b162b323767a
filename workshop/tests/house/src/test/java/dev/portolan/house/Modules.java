package dev.portolan.house;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The modules as the root pom lists them, by their folders: what each says that it needs, and what
 * its classes use.
 */
final class Modules {
  static final Path ROOT = Path.of("").toAbsolutePath();

  private static final Pattern MODULE = Pattern.compile("<module>(.*?)</module>");
  private static final Pattern DEPENDENCY =
      Pattern.compile("<dependency>(.*?)</dependency>", Pattern.DOTALL);
  private static final Pattern OURS = Pattern.compile("<artifactId>portolan-(.*?)</artifactId>");
  private static final Pattern DESCRIPTION =
      Pattern.compile("<description>(.*?)</description>", Pattern.DOTALL);
  private static final Pattern TYPE = Pattern.compile("L(dev/portolan/[\\w/$]+);");

  private Modules() {}

  /** Their folders, in the order of the root pom. */
  static List<String> all() throws IOException {
    return MODULE
        .matcher(Files.readString(ROOT.resolve("pom.xml")))
        .results()
        .map(result -> result.group(1))
        .toList();
  }

  static String floor(String module) {
    return module.split("/", 2)[0];
  }

  static Path folder(String module) {
    return ROOT.resolve(module);
  }

  static String description(String module) throws IOException {
    Matcher description = DESCRIPTION.matcher(own(module));
    return description.find() ? description.group(1) : "";
  }

  /** What comes after {@code portolan-} in the name of its artifact. */
  static String artifact(String module) throws IOException {
    Matcher artifact = OURS.matcher(own(module));
    return artifact.find() ? artifact.group(1) : "";
  }

  /** The pom after its parent. */
  private static String own(String module) throws IOException {
    String pom = Files.readString(folder(module).resolve("pom.xml"));
    return pom.substring(Math.max(0, pom.indexOf("</parent>")));
  }

  /** The modules that the main code of each module needs, as its pom says. */
  static Map<String, Set<String>> declared() throws IOException {
    Map<String, String> folders = new HashMap<>();
    for (String module : all()) {
      folders.put(artifact(module), module);
    }
    Map<String, Set<String>> declared = new LinkedHashMap<>();
    for (String module : all()) {
      Set<String> needed = new TreeSet<>();
      // What is only managed is not needed, and a profile is not always there.
      String pom =
          own(module)
              .replaceAll("(?s)<dependencyManagement>.*?</dependencyManagement>", "")
              .replaceAll("(?s)<profiles>.*?</profiles>", "");
      Matcher matcher = DEPENDENCY.matcher(pom);
      while (matcher.find()) {
        Matcher ours = OURS.matcher(matcher.group(1));
        if (ours.find() && !matcher.group(1).contains("<scope>test")) {
          needed.add(folders.getOrDefault(ours.group(1), ours.group(1)));
        }
      }
      declared.put(module, needed);
    }
    return declared;
  }

  /** The modules whose classes the classes of each module name. */
  static Map<String, Set<String>> used() throws IOException {
    Map<String, String> homes = new HashMap<>();
    Map<String, List<Path>> classes = new LinkedHashMap<>();
    for (String module : all()) {
      Path built = folder(module).resolve("target/classes");
      List<Path> files = new ArrayList<>();
      if (Files.isDirectory(built)) {
        try (Stream<Path> found = Files.walk(built)) {
          found.filter(file -> file.toString().endsWith(".class")).forEach(files::add);
        }
      }
      classes.put(module, files);
      for (Path file : files) {
        String name = built.relativize(file).toString().replace('\\', '/');
        homes.put(name.substring(0, name.length() - ".class".length()), module);
      }
    }
    Map<String, Set<String>> used = new LinkedHashMap<>();
    for (Map.Entry<String, List<Path>> module : classes.entrySet()) {
      Set<String> others = new TreeSet<>();
      for (Path file : module.getValue()) {
        for (String type : named(file)) {
          String home = homes.get(type);
          if (home != null && !home.equals(module.getKey())) {
            others.add(home);
          }
        }
      }
      used.put(module.getKey(), others);
    }
    return used;
  }

  /** The classes of ours that a class file names, in its code and in its signatures. */
  private static Set<String> named(Path file) throws IOException {
    Set<String> named = new TreeSet<>();
    for (PoolEntry entry : ClassFile.of().parse(file).constantPool()) {
      if (entry instanceof ClassEntry type) {
        named.add(type.asInternalName());
      } else if (entry instanceof Utf8Entry text) {
        TYPE.matcher(text.stringValue()).results().forEach(result -> named.add(result.group(1)));
      }
    }
    return named;
  }
}

package dev.portolan.bench.kit;

import java.nio.file.Path;

/** Where this project is checked out. */
public final class Checkout {
  private static final Path ROOT = Path.of(System.getProperty("portolan.root", "."));

  private Checkout() {}

  /** What starts Portolan. */
  public static Path launcher() {
    return ROOT.resolve("portolan");
  }

  /** What it starts: jars and class caches. */
  static Path program() {
    return ROOT.resolve("tools/cli/target/portolan");
  }

  /** The options that its JVM gets. */
  public static Path javaOptions() {
    return ROOT.resolve("tools/cli/java.options");
  }

  /** What that of a brain gets after these. */
  public static Path brainOptions() {
    return ROOT.resolve("tools/cli/brain.options");
  }
}

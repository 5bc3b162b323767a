package dev.portolan.packaging;

import java.io.IOException;
import java.nio.file.Path;

/** What {@code ./dev} starts to make what is installed. */
public final class Packaging {
  private Packaging() {}

  /** Takes the folder of the source tree, and what is to be made. */
  public static void main(String[] args) throws IOException {
    Project project = new Project(Path.of(args[0]));
    InstallationTree tree = new InstallationTree(project.root().resolve("packaging/target/tree"));
    try {
      switch (args[1]) {
        case "tree" -> tree.build(project);
        case "maven" ->
            MavenRepository.ofRelease(project.root().resolve("dist/maven")).write(project);
        case "package" -> SystemPackage.writeAll(project, tree);
        default -> throw new BuildFailure("cannot make a '" + args[1] + "'");
      }
    } catch (BuildFailure e) {
      System.err.println("packaging: " + e.getMessage());
      System.exit(1);
    }
  }
}

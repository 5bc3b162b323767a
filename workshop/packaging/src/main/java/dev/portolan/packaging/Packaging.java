package dev.portolan.packaging;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** What {@code ./dev} starts to make what is installed. */
public final class Packaging {
  private Packaging() {}

  /** Takes the folder of the source tree, what to make, and options for that. */
  public static void main(String[] args) throws IOException {
    Project project = new Project(Path.of(args[0]));
    InstallationTree tree =
        new InstallationTree(project.root().resolve("workshop/packaging/target/tree"));
    List<String> options = Arrays.asList(args).subList(2, args.length);
    try {
      switch (args[1]) {
        case "tree" -> tree.build(project);
        case "image" -> new Images(project, tree).write(options);
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

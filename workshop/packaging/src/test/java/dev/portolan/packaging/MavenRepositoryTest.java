package dev.portolan.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.testbase.AtNight;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A project outside of this tree uses the libraries as they are published. */
@AtNight
final class MavenRepositoryTest {
  private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();

  @TempDir private static Path folder;
  private static Path repository;
  private static String version;

  @BeforeAll
  static void write() throws IOException {
    Project project = new Project(ROOT);
    version = project.version();
    repository = folder.resolve("published");
    // What this very build has made, or ./portolan.
    String built =
        Files.exists(ROOT.resolve("model/core/target/portolan-core-" + version + ".jar"))
            ? "target"
            : "target/launcher";
    new MavenRepository(repository, built, List.of(".jar")).write(project);
  }

  @Test
  void theSampleCompilesWithNothingElse() throws IOException {
    Path sample = folder.resolve("my-backend");
    FileTree.copy(ROOT.resolve("examples/my-backend"), sample);
    // What others published comes from the repository of this machine; of ours it may have
    // anything.
    Path others = folder.resolve("others");
    Path local = Path.of(System.getProperty("user.home"), ".m2/repository");
    Files.createDirectories(others);
    try (Stream<Path> groups = Files.list(local)) {
      for (Path group : groups.filter(group -> !group.endsWith("dev")).toList()) {
        Files.createSymbolicLink(others.resolve(group.getFileName()), group);
      }
    }
    Path settings =
        Files.writeString(
            folder.resolve("settings.xml"),
            """
            <settings>
              <localRepository>%s</localRepository>
              <mirrors>
                <mirror><id>others</id><mirrorOf>central</mirrorOf><url>%s</url></mirror>
              </mirrors>
              <profiles><profile>
                <id>portolan</id>
                <repositories><repository>
                  <id>portolan</id><url>%s</url><snapshots><enabled>true</enabled></snapshots>
                </repository></repositories>
              </profile></profiles>
              <activeProfiles><activeProfile>portolan</activeProfile></activeProfiles>
            </settings>
            """
                .formatted(folder.resolve("local"), others.toUri(), repository.toUri()));
    Subprocess.output(
        "env",
        "JAVA_HOME=" + System.getProperty("java.home"),
        "mvn",
        "--batch-mode",
        "--quiet",
        "--settings=" + settings,
        "--file=" + sample.resolve("pom.xml"),
        "-Dportolan.version=" + version,
        "compiler:compile");

    assertThat(sample.resolve("target/classes/example/MyBackend.class")).exists();
    // An author gets no brain, no YAML and no command line.
    try (Stream<Path> ours = Files.list(folder.resolve("local/dev/portolan"))) {
      assertThat(
              ours.map(place -> place.getFileName().toString())
                  .filter(name -> !Set.of("portolan-bom", "portolan-parent").contains(name)))
          .containsExactlyInAnyOrder(
              "portolan-api",
              "portolan-client",
              "portolan-core",
              "portolan-keeper",
              "portolan-netlink",
              "portolan-tls");
    }
  }

  @Test
  void thePomsKnowTheirVersion() throws IOException {
    try (Stream<Path> files = Files.walk(repository)) {
      List<Path> poms = files.filter(file -> file.toString().endsWith(".pom")).toList();
      assertThat(poms).hasSizeGreaterThan(20);
      for (Path pom : poms) {
        assertThat(pom).content().contains(version).doesNotContain("<version>${revision}");
        assertThat(Path.of(pom + ".sha1")).content().hasSize(40);
      }
    }
    assertThat(place("portolan-bom", ".pom")).content().doesNotContain("<parent>", "junit");
    assertThat(place("portolan-cli", ".pom")).doesNotExist();
  }

  private static Path place(String name, String kind) {
    return repository
        .resolve("dev/portolan/" + name)
        .resolve(version)
        .resolve(name + "-" + version + kind);
  }
}

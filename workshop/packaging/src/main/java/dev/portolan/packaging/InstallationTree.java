package dev.portolan.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;

/**
 * What every way of installing Portolan has in common, as it lies below {@code /}: a Java runtime,
 * the jars, and the AOT caches that were trained with that very runtime on those very jars.
 *
 * <p>The JVM accepts a cache only for jars and a runtime of the same sizes and times. Therefore all
 * files get their time before the training, and whatever carries the tree must keep it. The folder
 * above {@code opt} may be any.
 */
record InstallationTree(Path folder) {
  /** Where it lies in an installation. */
  static final String HOME = "opt/portolan";

  /** The JVM's arguments with the cache that was trained with the daemon. */
  static final String DAEMON_ARGUMENTS = "kube-proxy.args";

  /** The JVM's arguments with the cache that was trained with the commands. */
  static final String COMMAND_ARGUMENTS = "portolan.args";

  /** The JVM's arguments for a brain, with the daemon's cache, as images have no other. */
  static final String BRAIN_ARGUMENTS = "brain.args";

  private static final String DAEMON_CACHE = "daemon.aot";
  private static final String COMMAND_CACHE = "portolan.aot";

  Path home() {
    return folder.resolve(HOME);
  }

  Path runtime() {
    return home().resolve("runtime");
  }

  Path lib() {
    return home().resolve("lib");
  }

  Path daemonCache() {
    return home().resolve("cache").resolve(DAEMON_CACHE);
  }

  Path commandCache() {
    return home().resolve("cache").resolve(COMMAND_CACHE);
  }

  /** Makes all of it, replacing what was there. */
  void build(Project project) throws IOException {
    buildUntrained(project);
    train(project);
  }

  /** Makes all but the caches: what is the same in every build. */
  void buildUntrained(Project project) throws IOException {
    FileTree.delete(folder);
    Files.createDirectories(lib());
    JavaRuntime.link(project.jars(), runtime());
    for (Path jar : project.jars()) {
      StoredJar.copy(jar, lib().resolve(jar.getFileName()));
    }
    Files.copy(project.root().resolve("LICENSE"), home().resolve("LICENSE"));
    Files.writeString(home().resolve(ThirdParty.NAME), ThirdParty.text(project, project.jars()));
    String options = Files.readString(project.javaOptions());
    Files.writeString(home().resolve(DAEMON_ARGUMENTS), arguments(options, DAEMON_CACHE));
    Files.writeString(home().resolve(COMMAND_ARGUMENTS), arguments(options, COMMAND_CACHE));
    Files.writeString(
        home().resolve(BRAIN_ARGUMENTS),
        arguments(options + Files.readString(project.brainOptions()), DAEMON_CACHE));
    touch(project);
  }

  private void train(Project project) throws IOException {
    // The training makes a certificate for its API server.
    Path keytool = runtime().resolve("bin/keytool");
    Files.createSymbolicLink(keytool, Path.of(System.getProperty("java.home"), "bin/keytool"));
    Subprocess.run(
        List.of(
            runtime().resolve("bin/java").toString(),
            "-cp",
            project.training().toString(),
            "dev.portolan.training.AotCache",
            project.javaOptions().toString(),
            home().toString(),
            project.examples().toString()),
        folder.resolveSibling("training.log"));
    Files.createDirectories(daemonCache().getParent());
    Files.move(home().resolve(DAEMON_CACHE), daemonCache());
    Files.move(home().resolve(COMMAND_CACHE), commandCache());
    Files.delete(keytool);
    touch(project);
  }

  /**
   * A file of arguments for {@code java}, to be used by the first line of a script as in {@code
   * #!/opt/portolan/runtime/bin/java @/opt/portolan/portolan.args}: no shell is needed to start it.
   */
  private static String arguments(String options, String cache) {
    return options
        + """
        # No tool may attach to it, so nothing is written to /tmp.
        -XX:+DisableAttachMechanism
        -XX:AOTCache=/%s/cache/%s
        # The first argument is the path of the script that was started.
        -Dportolan.script=true
        -jar
        /%s/lib/portolan-cli.jar
        """
            .formatted(HOME, cache, HOME);
  }

  private void touch(Project project) throws IOException {
    FileTime time = FileTime.from(project.time());
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(file -> !Files.isSymbolicLink(file)).toList()) {
        Files.getFileAttributeView(file, BasicFileAttributeView.class).setTimes(time, null, null);
      }
    }
  }
}

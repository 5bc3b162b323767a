package dev.portolan.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The layers of an image, made of an installation tree and of Debian's packages. What changes
 * rarely is below, so that an upgrade brings the upper ones only.
 */
record ImageLayers(InstallationTree tree) {
  private static final String IPTABLES = "iptables";

  /** The C library, and the files that it and Java look for. */
  Layer libc() throws IOException {
    Layer layer =
        new Layer("libc")
            .folder("tmp", 01777)
            .folder("run", 0755)
            .folder("proc", 0555)
            .folder("sys", 0555)
            .folder("dev", 0755)
            .text(
                "etc/passwd",
                """
                root:x:0:0:root:/root:/sbin/nologin
                nobody:x:65534:65534:nobody:/nonexistent:/sbin/nologin
                """)
            .text("etc/group", "root:x:0:\nnogroup:x:65534:\n")
            .text("etc/nsswitch.conf", "hosts: files dns\n")
            .file("etc/os-release", Path.of("/etc/os-release"));
    Path runtime = tree.runtime().toAbsolutePath();
    new DebianFiles(layer, library -> Path.of("/", library).startsWith(runtime))
        .librariesOf(binaries(runtime))
        .describe();
    return layer;
  }

  /** The programs of mode iptables, both implementations, with all their extensions. */
  Layer iptables(Layer libc) throws IOException {
    Layer layer = new Layer(IPTABLES);
    DebianFiles files = new DebianFiles(layer, libc::has);
    List<Path> programs = new ArrayList<>();
    for (String path : DebianFiles.of(IPTABLES)) {
      Path file = Path.of(path);
      if (path.matches(".*/xtables/lib(xt|ipt|ip6t)_.*[.]so|.*/xtables-(legacy|nft)-multi")) {
        files.file(path);
        programs.add(file);
      } else if (path.matches(".*/ip6?tables-(legacy|nft)(-save|-restore)?")) {
        layer.link(path.substring(1), Files.readSymbolicLink(file).toString());
      }
    }
    // As the alternatives of a new installation are.
    for (String family : List.of("iptables", "ip6tables")) {
      for (String what : List.of("", "-save", "-restore")) {
        layer.link("usr/sbin/" + family + what, "xtables-nft-multi");
      }
    }
    files.librariesOf(programs).describe();
    return layer;
  }

  /** The Java runtime. */
  Layer runtime() throws IOException {
    return new Layer("runtime").tree(InstallationTree.HOME + "/runtime", tree.runtime());
  }

  /** The jars of others. */
  Layer libraries() throws IOException {
    return jars(new Layer("libraries"), false);
  }

  /** Our own jars, and what starts them. */
  Layer ours() throws IOException {
    Layer layer = jars(new Layer("portolan"), true);
    for (String file :
        List.of(
            InstallationTree.DAEMON_ARGUMENTS,
            InstallationTree.BRAIN_ARGUMENTS,
            "LICENSE",
            ThirdParty.NAME)) {
      layer.file(InstallationTree.HOME + "/" + file, tree.home().resolve(file));
    }
    return layer
        .script("usr/local/bin/kube-proxy", script(InstallationTree.DAEMON_ARGUMENTS))
        .script("usr/local/bin/portolan", script(InstallationTree.DAEMON_ARGUMENTS))
        .script("usr/local/bin/portolan-brain", script(InstallationTree.BRAIN_ARGUMENTS));
  }

  /** A script that the kernel starts, with these arguments for the JVM. */
  private static String script(String arguments) {
    return "#!/%s/runtime/bin/java @/%s/%s\n"
        .formatted(InstallationTree.HOME, InstallationTree.HOME, arguments);
  }

  /** The cache that was trained: the only layer that differs from build to build. */
  Layer cache() {
    return new Layer("cache").file(InstallationTree.HOME + "/cache/daemon.aot", tree.daemonCache());
  }

  private Layer jars(Layer layer, boolean ours) throws IOException {
    try (Stream<Path> jars = Files.list(tree.lib())) {
      for (Path jar : jars.toList()) {
        String name = jar.getFileName().toString();
        if (name.startsWith("portolan-") == ours) {
          layer.file(InstallationTree.HOME + "/lib/" + name, jar);
        }
      }
    }
    return layer;
  }

  private static List<Path> binaries(Path runtime) throws IOException {
    try (Stream<Path> files = Files.walk(runtime)) {
      return files
          .filter(file -> file.toString().endsWith(".so") || file.endsWith("bin/java"))
          .toList();
    }
  }
}

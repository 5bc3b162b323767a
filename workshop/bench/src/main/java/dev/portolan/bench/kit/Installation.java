package dev.portolan.bench.kit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The checkout's program as a node has it, unpacked from an image, and started as the image does:
 * the launcher of the checkout first looks whether anything has to be built.
 */
public final class Installation {
  /** As much as a container runtime writes at a time, which is how the page cache then has it. */
  private static final int PIECE = 32 << 10;

  private final Path folder;

  private Installation(Path folder) {
    this.folder = folder;
  }

  /** Builds what has to be built, and unpacks it. */
  public static Installation unpack() throws IOException, InterruptedException {
    Process built =
        new ProcessBuilder(Checkout.launcher().toString(), "version")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (built.waitFor() != 0) {
      throw new IOException("./portolan version failed");
    }
    Path program = Checkout.program();
    Path folder = program.resolveSibling("installed");
    try (Stream<Path> files = Files.walk(program)) {
      for (Path file : files.toList()) {
        copy(file, folder.resolve(program.relativize(file)));
      }
    }
    return new Installation(folder);
  }

  /** The JVM looks at the times of its files before it uses the class cache. */
  private static void copy(Path file, Path copy) throws IOException {
    if (Files.isDirectory(file)) {
      Files.createDirectories(copy);
      return;
    }
    try (InputStream in = Files.newInputStream(file);
        OutputStream out = Files.newOutputStream(copy)) {
      for (byte[] piece = in.readNBytes(PIECE); piece.length > 0; piece = in.readNBytes(PIECE)) {
        out.write(piece);
      }
    }
    Files.setLastModifiedTime(copy, Files.getLastModifiedTime(file));
  }

  /** The command line that a kube-proxy's options follow. */
  public List<String> kubeProxy() {
    return List.of(
        "env",
        "MALLOC_ARENA_MAX=1",
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "@" + Checkout.javaOptions(),
        "-XX:AOTCache=" + folder.resolve("daemon.aot"),
        "-jar",
        folder.resolve("lib/portolan-cli.jar").toString(),
        "kube-proxy");
  }
}

package dev.portolan.conformance.console;

import dev.portolan.client.Portolan;
import dev.portolan.conformance.StateComparison;
import dev.portolan.core.node.NodeImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** A program that keeps its state in a file, the first argument. */
final class FileProgram {
  private FileProgram() {}

  public static void main(String[] args) {
    Path file = Path.of(args[0]);
    Portolan.run(
        new String[] {
          "--api=" + System.getenv("PORTOLAN_API"), "--node=" + System.getenv("PORTOLAN_NODE")
        },
        image -> write(file, image));
  }

  private static void write(Path file, NodeImage image) {
    try {
      Path next = Files.write(Path.of(file + ".new"), StateComparison.lines(image));
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

package dev.portolan.packaging;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** How the layers of an image are compressed, and how large the image may be. */
enum Compression {
  /** What every container runtime reads. */
  GZIP("gzip -9 -n -c", 42),
  /** A quarter smaller; containerd reads it from version 1.5 on. */
  ZSTD("zstd -19 -T0 -q -c", 31);

  private static final long MEGABYTE = 1_000_000;

  private final String program;
  private final long megabytes;

  Compression(String program, long megabytes) {
    this.program = program;
    this.megabytes = megabytes;
  }

  /** Compresses a file. */
  void compress(Path from, Path to) {
    Subprocess.filter(from, to, List.of(program.split(" ")));
  }

  /** What a layer is called in a manifest. */
  String mediaType() {
    return "application/vnd.oci.image.layer.v1.tar+" + suffix();
  }

  String suffix() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The most bytes that an image may have. */
  long limit() {
    return megabytes * MEGABYTE;
  }
}

package dev.portolan.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** A layer as files: a tar file, and that file compressed. */
record LayerFiles(String name, Blob tar, Map<Compression, Blob> compressed) {
  /** Writes a layer and compresses it in each of the ways asked for. */
  static LayerFiles of(Layer layer, Instant time, List<Compression> ways, Path folder)
      throws IOException {
    Path tar = folder.resolve(layer.name() + ".tar");
    layer.write(tar, time);
    Map<Compression, Blob> compressed = new EnumMap<>(Compression.class);
    for (Compression way : ways) {
      Path file = folder.resolve(layer.name() + ".tar." + way.suffix());
      way.compress(tar, file);
      compressed.put(way, Blob.of(file));
    }
    Blob blob = Blob.of(tar);
    Files.delete(tar);
    return new LayerFiles(layer.name(), blob, compressed);
  }

  Blob in(Compression way) {
    Blob blob = compressed.get(way);
    if (blob == null) {
      throw new IllegalArgumentException(name + " is not compressed with " + way);
    }
    return blob;
  }
}

package dev.portolan.packaging;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The images: the plain one, and a variant with the programs of mode iptables. */
record Images(Project project, InstallationTree tree) {
  private static final String NAME = "portolan";
  private static final String ZSTD = "--zstd";

  /** How much larger than the plain image the variant may be. */
  private static final long VARIANT = 1_000_000;

  private static final double MEGABYTE = 1_000_000;

  /** An image that was written, with its layers from the lowest to the highest. */
  record Written(String tag, Compression way, List<LayerFiles> layers, Path archive) {}

  /** Writes both into {@code dist} and prints their sizes; fails where one is too large. */
  void write(List<String> options) throws IOException {
    for (String option : options) {
      if (!option.equals(ZSTD)) {
        throw new BuildFailure("image has no option '" + option + "'; it has " + ZSTD);
      }
    }
    List<Compression> ways =
        options.isEmpty() ? List.of(Compression.GZIP) : List.of(Compression.values());
    List<Written> written = write(ways, project.root().resolve("dist"));
    print(written, ways, System.out);
    for (Written image : written) {
      check(image);
    }
  }

  /** Writes both, compressed in each of the ways. */
  List<Written> write(List<Compression> ways, Path dist) throws IOException {
    Path work = tree.folder().resolveSibling("image");
    Files.createDirectories(work);
    Files.createDirectories(dist);
    ImageLayers image = new ImageLayers(tree);
    Layer libc = image.libc();
    List<LayerFiles> plain = new ArrayList<>();
    for (Layer layer :
        List.of(libc, image.runtime(), image.libraries(), image.ours(), image.cache())) {
      plain.add(LayerFiles.of(layer, project.time(), ways, work));
    }
    List<LayerFiles> variant = new ArrayList<>(plain);
    variant.add(1, LayerFiles.of(image.iptables(libc), project.time(), ways, work));
    List<Written> written = new ArrayList<>();
    for (Compression way : ways) {
      written.add(write(project.version(), plain, way, work, dist));
      written.add(write(project.version() + "-iptables", variant, way, work, dist));
    }
    return written;
  }

  private Written write(String tag, List<LayerFiles> layers, Compression way, Path work, Path dist)
      throws IOException {
    String architecture = Project.architecture();
    Path archive =
        dist.resolve(
            "%s-%s-linux-%s.oci%s.tar"
                .formatted(NAME, tag, architecture, way == Compression.GZIP ? "" : "-zstd"));
    new OciArchive(NAME, tag, architecture, project.time()).write(layers, way, work, archive);
    return new Written(tag, way, layers, archive);
  }

  /** Fails where an image is too large. */
  void check(Written image) throws IOException {
    long size = Files.size(image.archive());
    long limit = image.way().limit() + (image.tag().equals(project.version()) ? 0 : VARIANT);
    if (size > limit) {
      throw new BuildFailure(
          "%s has %.1f MB, and may have %.1f"
              .formatted(image.archive().getFileName(), size / MEGABYTE, limit / MEGABYTE));
    }
  }

  private void print(List<Written> images, List<Compression> ways, PrintStream out)
      throws IOException {
    StringBuilder header = new StringBuilder("%-36s%10s".formatted("MB", "unpacked"));
    ways.forEach(way -> header.append("%10s".formatted(way.suffix())));
    out.println(header);
    // The variant has every layer.
    for (LayerFiles layer : images.get(1).layers()) {
      StringBuilder row = row(layer.name(), layer.tar().size());
      ways.forEach(way -> row.append(figure(layer.in(way).size())));
      out.println(row);
    }
    for (Written image : images.subList(0, 2)) {
      StringBuilder row =
          row(
              NAME + ":" + image.tag(),
              image.layers().stream().mapToLong(layer -> layer.tar().size()).sum());
      for (Written each : images) {
        if (each.tag().equals(image.tag())) {
          row.append(figure(Files.size(each.archive())));
        }
      }
      out.println(row);
    }
    for (Written image : images) {
      out.println(project.root().relativize(image.archive()));
    }
  }

  private static StringBuilder row(String name, long size) {
    return new StringBuilder("%-36s".formatted(name)).append(figure(size));
  }

  private static String figure(long size) {
    return "%10.1f".formatted(size / MEGABYTE);
  }
}

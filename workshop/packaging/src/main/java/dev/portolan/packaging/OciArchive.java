package dev.portolan.packaging;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Writes an image as one file that container runtimes load: the image layout of OCI in a tar file,
 * and the index that older versions of Docker read.
 */
record OciArchive(String name, String tag, String architecture, Instant time) {
  /** The registry's part of a name without one, which containerd and the kubelet write out. */
  private static final String NO_REGISTRY = "docker.io/library/";

  private static final String MANIFEST = "application/vnd.oci.image.manifest.v1+json";
  private static final String CONFIG = "application/vnd.oci.image.config.v1+json";

  /** Writes the layers, from the lowest to the highest, as an image. */
  void write(List<LayerFiles> layers, Compression way, Path folder, Path archive)
      throws IOException {
    Blob config = Blob.of(folder.resolve("config.json"), config(layers));
    Blob manifest = Blob.of(folder.resolve("manifest.json"), manifest(config, layers, way));
    TreeMap<String, Blob> blobs = new TreeMap<>();
    blobs.put(config.path(), config);
    blobs.put(manifest.path(), manifest);
    layers.forEach(layer -> blobs.put(layer.in(way).path(), layer.in(way)));
    try (TarWriter tar =
        new TarWriter(new BufferedOutputStream(Files.newOutputStream(archive)), time)) {
      tar.directory("blobs", 0755);
      tar.directory("blobs/sha256", 0755);
      for (Blob blob : blobs.values()) {
        tar.file(blob.path(), 0644, blob.file());
      }
      tar.file("index.json", 0644, Blob.of(folder.resolve("index.json"), index(manifest)).file());
      tar.file("manifest.json", 0644, bytes(dockerIndex(config, layers, way)));
      tar.file("oci-layout", 0644, bytes("{\"imageLayoutVersion\":\"1.0.0\"}"));
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private String config(List<LayerFiles> layers) {
    return """
    {"created":"%s","architecture":"%s","os":"linux",\
    "config":{"Env":["PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin","LANG=C.UTF-8"],\
    "Entrypoint":["/usr/local/bin/portolan"],\
    "Labels":{"org.opencontainers.image.title":"portolan",\
    "org.opencontainers.image.description":"A Kubernetes service proxy that explains its decisions.",\
    "org.opencontainers.image.licenses":"Apache-2.0",\
    "org.opencontainers.image.version":"%s"}},\
    "rootfs":{"type":"layers","diff_ids":[%s]},"history":[%s]}\
    """
        .formatted(
            time,
            architecture,
            tag,
            list(layers, layer -> "\"sha256:" + layer.tar().sha256() + "\""),
            list(
                layers,
                layer ->
                    "{\"created\":\"%s\",\"created_by\":\"./dev image: %s\"}"
                        .formatted(time, layer.name())));
  }

  private static String manifest(Blob config, List<LayerFiles> layers, Compression way) {
    return "{\"schemaVersion\":2,\"mediaType\":\"%s\",\"config\":%s,\"layers\":[%s]}"
        .formatted(
            MANIFEST,
            config.descriptor(CONFIG, ""),
            list(layers, layer -> layer.in(way).descriptor(way.mediaType(), "")));
  }

  private String index(Blob manifest) {
    String more =
        """
        ,"platform":{"architecture":"%s","os":"linux"},\
        "annotations":{"io.containerd.image.name":"%s%s:%s","org.opencontainers.image.ref.name":"%s"}\
        """
            .formatted(architecture, NO_REGISTRY, name, tag, tag);
    return "{\"schemaVersion\":2,\"mediaType\":\"application/vnd.oci.image.index.v1+json\","
        + "\"manifests\":["
        + manifest.descriptor(MANIFEST, more)
        + "]}";
  }

  private String dockerIndex(Blob config, List<LayerFiles> layers, Compression way) {
    return "[{\"Config\":\"%s\",\"RepoTags\":[\"%s:%s\"],\"Layers\":[%s]}]"
        .formatted(
            config.path(), name, tag, list(layers, layer -> "\"" + layer.in(way).path() + "\""));
  }

  private static String list(List<LayerFiles> layers, Function<LayerFiles, String> each) {
    return layers.stream().map(each).collect(Collectors.joining(","));
  }
}

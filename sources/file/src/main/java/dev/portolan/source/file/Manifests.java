package dev.portolan.source.file;

import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.source.objects.Kind;
import dev.portolan.text.FileText;
import dev.portolan.text.Sentence;
import dev.portolan.text.TextException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A cluster as manifests describe it.
 *
 * @param warnings whole sentences about what was passed over
 * @param places where each object is written, as {@code file:line}
 */
public record Manifests(ClusterImage image, List<String> warnings, Map<ObjectRef, String> places) {
  public Manifests {
    warnings = List.copyOf(warnings);
    places = Collections.unmodifiableMap(places);
  }

  /** Reads a text of YAML or JSON; {@code name} names it in messages. */
  public static Manifests parse(String name, String text) {
    return of(List.of(ManifestFile.parse(name, text, new ReadProgress())));
  }

  /** Reads a file, or all manifests in a folder and the folders inside. */
  public static Manifests read(Path path) {
    return read(path, new ReadProgress());
  }

  /** The same; {@code progress} says how far it is. */
  public static Manifests read(Path path, ReadProgress progress) {
    return new ManifestLibrary(progress).read(ManifestListing.of(path));
  }

  /** Reads the text of a stream to its end; {@code name} names it in messages. */
  public static String text(String name, InputStream stream) {
    try {
      return FileText.decode(name, stream.readAllBytes());
    } catch (IOException e) {
      throw new TextException(
          Sentence.of(name, "cannot be read (" + e.getMessage() + "); pipe manifests into it"));
    }
  }

  /** Puts files together; of an object that is there twice, the first one counts. */
  static Manifests of(Collection<ManifestFile> files) {
    ClusterDelta.Builder cluster = ClusterDelta.builder();
    List<String> warnings = new ArrayList<>();
    Map<ObjectRef, String> places = new HashMap<>();
    for (ManifestFile file : files) {
      warnings.addAll(file.warnings());
      for (Kind.Decoded object : file.objects()) {
        String first = places.putIfAbsent(object.ref(), object.place());
        if (first == null) {
          object.put().accept(cluster);
        } else {
          warnings.add(
              object.place()
                  + ": "
                  + object.ref()
                  + ": duplicate, first defined at "
                  + first
                  + "; this one is ignored, so remove one of them");
        }
      }
    }
    return new Manifests(cluster.build().applyTo(ClusterImage.EMPTY), warnings, places);
  }
}

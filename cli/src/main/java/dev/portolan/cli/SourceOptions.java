package dev.portolan.cli;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.cluster.Source;
import dev.portolan.source.file.FileSource;
import dev.portolan.source.file.ManifestException;
import dev.portolan.source.file.Manifests;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Where the cluster is read from. */
final class SourceOptions {
  private static final String FILE = "file:";
  private static final String KUBE = "kube";
  private static final String FORMS =
      "write file:PATH for a folder of manifests or one file, kube for the cluster that kubectl"
          + " uses, or kube:KUBECONFIG";

  @Option(
      names = "--from",
      paramLabel = "SOURCE",
      description =
          "Where the cluster is read from: file:PATH, a folder of manifests or one file;"
              + " kube, the API server that kubectl uses; or kube:KUBECONFIG.")
  private String from = "";

  /**
   * A cluster that was read once.
   *
   * @param places where objects were written, where that is known
   */
  record Reading(ClusterImage image, Map<ObjectRef, String> places, List<String> warnings) {}

  /** Whether a source was named. */
  boolean isGiven() {
    return !from.isEmpty();
  }

  /** Reads the cluster as it is now. */
  Reading read() {
    Optional<String> kubeconfig = kubeconfig();
    if (kubeconfig.isPresent()) {
      ClusterImage image = ApiCluster.of(kubeconfig.get()).read();
      return new Reading(image, Map.of(), List.of());
    }
    try {
      Manifests manifests = Manifests.read(path());
      return new Reading(
          manifests.image(), manifests.places(), manifests.warnings().stream().distinct().toList());
    } catch (ManifestException e) {
      throw CommandFailure.input(String.valueOf(e.getMessage()));
    }
  }

  /** The source that was named, to be followed. */
  Source open() {
    return kubeconfig().<Source>map(ApiCluster::of).orElseGet(() -> new FileSource(path()));
  }

  /** The kubeconfig file of an API server; empty for the usual one, absent for another source. */
  private Optional<String> kubeconfig() {
    if (from.equals(KUBE)) {
      return Optional.of("");
    }
    return from.startsWith(KUBE + ":") && from.length() > KUBE.length() + 1
        ? Optional.of(from.substring(KUBE.length() + 1))
        : Optional.empty();
  }

  private Path path() {
    if (from.isEmpty()) {
      throw CommandFailure.usage("--from is missing; " + FORMS);
    }
    if (!from.startsWith(FILE)) {
      int colon = from.indexOf(':');
      String problem =
          from.equals(KUBE + ":")
              ? "'kube:' names no kubeconfig file"
              : colon > 1 && from.substring(0, colon).chars().allMatch(Character::isLetterOrDigit)
                  ? "there is no source '" + from.substring(0, colon) + "'"
                  : "'" + from + "' does not say what kind of source it is";
      throw CommandFailure.usage("--from: " + Text.printable(problem) + "; " + FORMS);
    }
    String path = from.substring(FILE.length());
    if (path.isEmpty()) {
      throw CommandFailure.usage("--from: '" + from + "' names no path; " + FORMS);
    }
    try {
      return Path.of(path);
    } catch (InvalidPathException e) {
      throw CommandFailure.usage("--from: '" + Text.printable(from) + "' is no path; " + FORMS);
    }
  }

  /** The source as it was written. */
  @Override
  public String toString() {
    return Text.printable(from);
  }
}

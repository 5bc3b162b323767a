package dev.portolan.cli;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where the cluster is read from. */
final class SourceOptions {
  private static final String FILE = "file:";
  private static final String FORMS = "write file:PATH, a folder of manifests or one file";

  @Option(
      names = "--from",
      paramLabel = "SOURCE",
      description = "Where the cluster is read from: file:PATH, a folder of manifests or one file.")
  private String from = "";

  /** Whether a source was named. */
  boolean isGiven() {
    return !from.isEmpty();
  }

  /** The folder or file that was named. */
  Path path() {
    if (from.isEmpty()) {
      throw CommandFailure.usage("--from is missing; " + FORMS);
    }
    if (from.equals("kube")) {
      throw CommandFailure.usage(
          "--from: the source kube is not there yet; save the cluster with 'kubectl get"
              + " svc,endpointslices,nodes,servicecidrs -A -o yaml > FILE' and write file:FILE");
    }
    if (!from.startsWith(FILE)) {
      int colon = from.indexOf(':');
      String problem =
          colon > 1 && from.substring(0, colon).chars().allMatch(Character::isLetterOrDigit)
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

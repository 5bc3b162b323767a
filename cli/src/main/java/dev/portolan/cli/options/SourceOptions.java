package dev.portolan.cli.options;

import dev.portolan.api.transport.Address;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.cluster.Source;
import dev.portolan.source.file.FileSource;
import dev.portolan.source.file.Manifests;
import dev.portolan.source.file.ReadProgress;
import dev.portolan.source.kube.KubeSource;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Text;
import dev.portolan.terminal.Waiting;
import dev.portolan.text.TextException;
import dev.portolan.tls.TlsFiles;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Where the cluster is read from. */
public final class SourceOptions {
  private static final String FILE = "file:";
  private static final String KUBE = "kube";
  private static final String API = "api:";
  private static final String FORMS =
      "write file:PATH for a manifest file or folder, kube for the cluster that kubectl uses,"
          + " kube:KUBECONFIG, or api:ADDRESS for the cluster of a brain";

  /** Within this time a brain that is reached has read its own source. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** An API server says itself what is wrong, and a large cluster takes its time. */
  private static final Duration FOREVER = Duration.ofDays(1);

  @Option(
      names = "--from",
      paramLabel = "SOURCE",
      description = {
        "Where to read the cluster from: file:PATH, a folder",
        "of manifests or one file; kube, the API server that",
        "kubectl uses; kube:KUBECONFIG; or api:ADDRESS, the",
        "brain at unix:///PATH or tcp://HOST:PORT."
      })
  private String from = "";

  @Mixin private final TlsOptions tls = new TlsOptions();

  /**
   * A cluster that was read once.
   *
   * @param places where objects were written, where that is known
   */
  public record Reading(ClusterImage image, Map<ObjectRef, String> places, List<String> warnings) {}

  /** Whether a source was named. */
  public boolean isGiven() {
    return !from.isEmpty();
  }

  /** What to do where no source was named. */
  String missing() {
    return "--from is required; " + FORMS;
  }

  /** The certificates for a brain behind tcp://. */
  public TlsOptions tls() {
    return tls;
  }

  /** Reads the cluster as it is now. */
  public Reading read(Remarks remarks) {
    if (!isRemote() && tls.files().isPresent()) {
      throw CommandFailure.usage(
          "--tls-key, --tls-crt and --tls-ca are for tcp:// addresses; remove them for " + this);
    }
    if (from.startsWith(API)) {
      Source brain = open(remarks);
      return reading(Snapshot.of(brain, brain().toString(), PATIENCE, remarks));
    }
    Optional<String> kubeconfig = kubeconfig();
    if (kubeconfig.isPresent()) {
      ApiCluster server = ApiCluster.of(kubeconfig.get());
      return reading(Snapshot.of(server, server.toString(), FOREVER, remarks));
    }
    try {
      Manifests manifests = manifests(path(), remarks);
      return new Reading(
          manifests.image(), manifests.places(), manifests.warnings().stream().distinct().toList());
    } catch (TextException e) {
      throw CommandFailure.input(e);
    }
  }

  private static Manifests manifests(Path path, Remarks remarks) {
    ReadProgress progress = new ReadProgress();
    try (Waiting _ = Waiting.busy(() -> "reading " + path + ": " + progress, remarks)) {
      return Manifests.read(path, progress);
    }
  }

  private static Reading reading(ClusterImage image) {
    return new Reading(image, Map.of(), List.of());
  }

  /** The source that was named, to be followed. */
  public Source open(Remarks remarks) {
    return open(remarks, options -> options);
  }

  /** The same, where an API server is read in another way. */
  public Source open(Remarks remarks, UnaryOperator<KubeSource.Options> change) {
    if (from.startsWith(API)) {
      return BrainCluster.of(brain(), certificates(), remarks);
    }
    return kubeconfig()
        .<Source>map(file -> ApiCluster.of(file).with(change))
        .orElseGet(() -> new FileSource(path()));
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

  /** The brain that was named. */
  private Address brain() {
    return ApiOptions.address("--from", from.substring(API.length()));
  }

  /** The certificates for it, which a brain may also have for those that it serves. */
  private Optional<TlsFiles> certificates() {
    return brain() instanceof Address.Tcp ? tls.files() : Optional.empty();
  }

  /** Whether the source is one that needs certificates. */
  public boolean isRemote() {
    return from.startsWith(API) && brain() instanceof Address.Tcp;
  }

  private Path path() {
    if (from.isEmpty()) {
      throw CommandFailure.usage(missing());
    }
    if (!from.startsWith(FILE)) {
      int colon = from.indexOf(':');
      String problem =
          from.equals(KUBE + ":")
              ? "'kube:' has no kubeconfig file"
              : colon > 1 && from.substring(0, colon).chars().allMatch(Character::isLetterOrDigit)
                  ? "unknown source '" + from.substring(0, colon) + "'"
                  : "'" + from + "' does not start with a kind of source";
      throw CommandFailure.usage("--from: " + Text.printable(problem) + "; " + FORMS);
    }
    String path = from.substring(FILE.length());
    if (path.isEmpty()) {
      throw CommandFailure.usage("--from: '" + from + "' has no path; " + FORMS);
    }
    try {
      return Path.of(path);
    } catch (InvalidPathException e) {
      throw CommandFailure.usage(
          "--from: '" + Text.printable(from) + "' is not a valid path; " + FORMS);
    }
  }

  /** The source as it was written. */
  @Override
  public String toString() {
    return Text.printable(from);
  }
}

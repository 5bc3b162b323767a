package dev.portolan.options;

import dev.portolan.api.transport.Address;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.cluster.Source;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.options.whole.WholeObjects;
import dev.portolan.source.file.FileSource;
import dev.portolan.source.file.ManifestLibrary;
import dev.portolan.source.file.Manifests;
import dev.portolan.source.file.ReadProgress;
import dev.portolan.source.kube.KubeSource;
import dev.portolan.source.record.RecordedEvent;
import dev.portolan.source.record.Speed;
import dev.portolan.source.union.ClusterUnion;
import dev.portolan.source.union.HeldSource;
import dev.portolan.source.union.UnitedSource;
import dev.portolan.terminal.Choice;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Text;
import dev.portolan.terminal.Waiting;
import dev.portolan.text.TextException;
import dev.portolan.tls.TlsFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Where the cluster is read from. */
public final class SourceOptions {
  private static final String STANDARD_INPUT = "standard input";

  /** Within this time a brain that is reached has read its own source. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** An API server says itself what is wrong, and a large cluster takes its time. */
  private static final Duration FOREVER = Duration.ofDays(1);

  @Option(
      names = "--from",
      paramLabel = "SOURCE",
      description =
          "Where to read the cluster from: file:PATH, a folder of manifests or one file, or - for"
              + " standard input; kube, the API server that kubectl uses; kube:KUBECONFIG;"
              + " api:ADDRESS, the brain at unix:///PATH or tcp://HOST:PORT; or"
              + " record:PATH[@TIME|@REVISION], a recording, at its end or at a point such as"
              + " @03:12, @-5m or @72. Can be repeated: an object counts from the first source that"
              + " has it.")
  private @Nullable List<String> from;

  @Option(
      names = "--speed",
      paramLabel = "SPEED",
      description =
          "How fast a command that keeps running plays --from record:PATH: 1x, 10x or max, without"
              + " pauses. Default: 1x.")
  private @Nullable String speed;

  @Mixin private final KubeOptions kube;
  @Mixin private final TlsOptions tls;

  private boolean metadata;
  private boolean still;

  /** A recording takes its time, and commands ask for several things in it. */
  private final Map<SourceName.Recorded, RecordedCluster> recordings = new HashMap<>();

  /** A command that reads manifests again parses only those that have changed. */
  private final Map<Path, Shelf> shelves = new HashMap<>();

  private record Shelf(ReadProgress progress, ManifestLibrary library) {
    static Shelf of(Path path) {
      ReadProgress progress = new ReadProgress();
      return new Shelf(progress, new ManifestLibrary(progress));
    }
  }

  /** Standard input can be read only once. */
  private @Nullable String text;

  private @Nullable Manifests input;

  /** Options that a command line is read into. */
  public SourceOptions() {
    this(new KubeOptions(), new TlsOptions());
  }

  private SourceOptions(KubeOptions kube, TlsOptions tls) {
    this.kube = kube;
    this.tls = tls;
  }

  /** Another source, written like those of {@code --from} and reached in the same ways. */
  public SourceOptions at(String source) {
    SourceOptions other =
        new SourceOptions(
            source.startsWith("kube") ? kube : new KubeOptions(),
            source.startsWith("api:tcp") ? tls : new TlsOptions());
    other.from = List.of(source);
    return other;
  }

  /**
   * A cluster that was read once.
   *
   * @param places where objects were written, where that is known
   */
  public record Reading(ClusterImage image, Map<ObjectRef, String> places, List<String> warnings) {}

  /** Whether a source was named. */
  public boolean isGiven() {
    return !texts().isEmpty();
  }

  /** What to do where no source was named. */
  String missing() {
    return "--from is required; " + SourceName.FORMS;
  }

  /** The certificates for a brain behind tcp://. */
  public TlsOptions tls() {
    return tls;
  }

  /** Keeps the labels of services, which an API server is otherwise read without. */
  public void keepMetadata() {
    metadata = true;
  }

  /** Shows a recording as it was at its end, instead of playing it, unless a speed was named. */
  public void keepRecordingsStill() {
    still = true;
  }

  /** The file or folder of the recording that is read, if it is one. */
  public Optional<Path> recording() {
    return names().stream()
        .flatMap(name ->
            name instanceof SourceName.Recorded recorded ? Stream.of(recorded.path()) : Stream.of())
        .findFirst();
  }

  /** Reads the cluster as it is now. */
  public Reading read(Remarks remarks) {
    refuseNeedlessCertificates();
    List<SourceName> names = names();
    if (names.size() == 1) {
      return read(names.getFirst(), remarks);
    }
    List<Reading> readings = names.stream().map(name -> read(name, remarks)).toList();
    ClusterUnion union = ClusterUnion.of(readings.stream().map(Reading::image).toList());
    List<String> warnings = new ArrayList<>();
    readings.forEach(reading -> warnings.addAll(reading.warnings));
    warnings.addAll(UnitedSource.sentences(union, texts()));
    Map<ObjectRef, String> places = new HashMap<>();
    for (int i = readings.size() - 1; i >= 0; i--) {
      String source = Text.printable(texts().get(i));
      ClusterUnion.objects(readings.get(i).image).forEach(object -> places.put(object, source));
      places.putAll(readings.get(i).places);
    }
    return new Reading(union.image(), places, warnings);
  }

  private void refuseNeedlessCertificates() {
    if (!isRemote() && tls.files().isPresent()) {
      throw CommandFailure.usage(
          "--tls-key, --tls-crt and --tls-ca are for tcp:// addresses; remove them for " + this);
    }
  }

  private Reading read(SourceName name, Remarks remarks) {
    try {
      return switch (name) {
        case SourceName.Manifest(var path) -> reading(manifests(path, remarks));
        case SourceName.StandardInput() -> reading(input());
        case SourceName.Kube(String file) -> {
          ApiCluster server = cluster(file).with(options -> options.withMetadata(metadata));
          yield reading(first(server, server.toString(), FOREVER, remarks));
        }
        case SourceName.Recorded recording -> recording(recording, remarks).read(remarks);
        case SourceName.Brain(Address address) ->
            reading(
                first(
                    open(name, remarks, options -> options),
                    address.toString(),
                    PATIENCE,
                    remarks));
      };
    } catch (TextException e) {
      throw CommandFailure.input(e);
    }
  }

  private static ClusterImage first(
      Source source, String where, Duration longest, Remarks remarks) {
    try (HeldSource held = new HeldSource(source, "", new BeforeItIsTaken(true, remarks))) {
      return first(held, where, longest, remarks);
    }
  }

  private static ClusterImage first(
      HeldSource held, String where, Duration longest, Remarks remarks) {
    try (Waiting _ = Waiting.announce(() -> "waiting for the cluster from " + where, remarks)) {
      return held.awaitFirst(longest)
          .orElseThrow(() ->
              CommandFailure.refused(
                  ErrorCode.BRAIN_API,
                  where
                      + ": no cluster received within "
                      + longest.toSeconds()
                      + " seconds; has the brain read it yet? See its log"));
    } catch (InterruptedException e) {
      throw CommandFailure.input("interrupted while " + where + " was read");
    }
  }

  /** The first state of what is held, whenever it comes. */
  public ClusterImage first(HeldSource held, Remarks remarks) {
    return first(held, toString(), FOREVER, remarks);
  }

  /**
   * What a command says while it reads. A failure before the first state ends the command; after it
   * the source tries again by itself.
   *
   * @param strict whether whatever is reported before the first state is a failure, too
   */
  private record BeforeItIsTaken(boolean strict, Remarks remarks) implements HeldSource.Listener {
    @Override
    public Optional<RuntimeException> failure(Optional<ErrorCode> code, String problem) {
      String sentence = code.map(known -> known.mark(problem)).orElse(problem);
      return strict || code.isPresent()
          ? Optional.of(CommandFailure.input(Text.printable(sentence)))
          : Optional.empty();
    }

    @Override
    public void problem(String sentence) {
      remarks.warn(sentence);
    }
  }

  /** Reads the cluster now, to be followed by {@code source}'s own changes. */
  public HeldSource hold(Source source, Remarks remarks) {
    refuseNeedlessCertificates();
    List<SourceName> names = names();
    boolean strict =
        names.size() == 1
            && (names.getFirst() instanceof SourceName.Kube
                || names.getFirst() instanceof SourceName.Brain);
    return new HeldSource(source, "", new BeforeItIsTaken(strict, remarks));
  }

  private static Reading reading(Manifests manifests) {
    return new Reading(
        manifests.image(), manifests.places(), manifests.warnings().stream().distinct().toList());
  }

  private Manifests manifests(Path path, Remarks remarks) {
    Shelf shelf = shelves.computeIfAbsent(path, Shelf::of);
    try (Waiting _ = Waiting.busy(() -> "reading " + path + ": " + shelf.progress, remarks)) {
      return shelf.library.read(path);
    }
  }

  private static Reading reading(ClusterImage image) {
    return new Reading(image, Map.of(), List.of());
  }

  /** Fails where no source is named, or one that cannot be. */
  public void check() {
    var _ = names();
  }

  /** The source that was named, to be followed. */
  public Source open(Remarks remarks) {
    return open(remarks, options -> options);
  }

  /** The same, where an API server is read in another way. */
  public Source open(Remarks remarks, UnaryOperator<KubeSource.Options> change) {
    List<SourceName> names = names();
    if (names.size() == 1) {
      return open(names.getFirst(), remarks, change);
    }
    List<UnitedSource.Named> sources = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      sources.add(
          new UnitedSource.Named(
              Text.printable(texts().get(i)), open(names.get(i), remarks, change)));
    }
    return new UnitedSource(sources);
  }

  private Source open(SourceName name, Remarks remarks, UnaryOperator<KubeSource.Options> change) {
    return switch (name) {
      case SourceName.Manifest(var path) -> new FileSource(path);
      case SourceName.StandardInput() -> FileSource.still(this::input);
      case SourceName.Kube(String file) -> cluster(file).with(change);
      case SourceName.Recorded recording ->
          still && speed == null
              ? recording(recording, remarks).still(remarks)
              : recording(recording, remarks).open(speed(), remarks);
      case SourceName.Brain(Address address) ->
          BrainCluster.of(address, certificates(address), remarks);
    };
  }

  private RecordedCluster recording(SourceName.Recorded name, Remarks remarks) {
    return recordings.computeIfAbsent(name, named -> new RecordedCluster(named, remarks));
  }

  /** Who recorded what is read, if it is a recording. */
  public Optional<RecordedEvent.Started> recorder(Remarks remarks) {
    if (!isGiven()) {
      return Optional.empty();
    }
    for (SourceName name : names()) {
      if (name instanceof SourceName.Recorded recorded) {
        return recording(recorded, remarks).recorder();
      }
    }
    return Optional.empty();
  }

  /** The node whose daemon recorded what is read; empty where that is not known. */
  public String recordedNode(Remarks remarks) {
    return recorder(remarks).map(RecordedEvent.Started::node).orElse("");
  }

  private Speed speed() {
    return Optional.ofNullable(speed)
        .map(text -> Choice.read("--speed", () -> Speed.parse(text)))
        .orElse(Speed.ORIGINAL);
  }

  private synchronized Manifests input() {
    if (input == null) {
      input = Manifests.parse(STANDARD_INPUT, text());
    }
    return input;
  }

  private synchronized String text() {
    if (text == null) {
      text = Manifests.text(STANDARD_INPUT, System.in);
    }
    return text;
  }

  /** Whole objects of each of the sources, in their order, where a source has them. */
  public List<WholeObjects> wholeObjects() {
    List<WholeObjects> all = new ArrayList<>();
    for (SourceName name : names()) {
      all.add(
          switch (name) {
            case SourceName.Manifest(var path) -> WholeObjects.of(path);
            case SourceName.StandardInput() -> WholeObjects.of(STANDARD_INPUT, text());
            case SourceName.Kube(String file) -> WholeObjects.of(cluster(file)::list);
            default -> WholeObjects.NONE;
          });
    }
    return all;
  }

  private ApiCluster cluster(String file) {
    if (!file.isEmpty() && !kube.kubeconfig().isEmpty()) {
      throw CommandFailure.usage(
          "--kubeconfig: --from kube:" + Text.printable(file) + " names a file too; use only one");
    }
    return ApiCluster.of(file.isEmpty() ? kube.kubeconfig() : file, kube);
  }

  /** The sources that were named; options for one that was not are refused. */
  private List<SourceName> names() {
    if (texts().isEmpty()) {
      throw CommandFailure.usage(missing());
    }
    List<SourceName> names = texts().stream().map(SourceName::parse).toList();
    Optional<String> unused = kube.given();
    if (unused.isPresent() && names.stream().noneMatch(name -> name instanceof SourceName.Kube)) {
      throw CommandFailure.usage(unused.get() + " is for --from kube; remove it for " + this);
    }
    if (speed != null && names.stream().noneMatch(name -> name instanceof SourceName.Recorded)) {
      throw CommandFailure.usage("--speed is for --from record:PATH; remove it for " + this);
    }
    return names;
  }

  private List<String> texts() {
    return NodeSettingsOptions.given(from);
  }

  /** The certificates for a brain, which a brain may also have for those that it serves. */
  private Optional<TlsFiles> certificates(Address address) {
    return address instanceof Address.Tcp ? tls.files() : Optional.empty();
  }

  /** Whether a source is one that needs certificates. */
  public boolean isRemote() {
    return texts().stream()
        .filter(text -> text.startsWith("api:"))
        .map(SourceName::parse)
        .anyMatch(name ->
            name instanceof SourceName.Brain(Address address) && address instanceof Address.Tcp);
  }

  /** The sources as they were written. */
  @Override
  public String toString() {
    return Text.printable(String.join(" and ", texts()));
  }
}

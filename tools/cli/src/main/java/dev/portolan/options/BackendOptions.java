package dev.portolan.options;

import dev.portolan.backend.exec.ExecBackend;
import dev.portolan.backend.exec.ExecOptions;
import dev.portolan.config.gates.Platform;
import dev.portolan.conntrack.TcpCleaning;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.node.NodeImage;
import dev.portolan.mode.Mode;
import dev.portolan.mode.ModeListener;
import dev.portolan.mode.ModeRules;
import dev.portolan.mode.ModeSettings;
import dev.portolan.mode.OpenBackend;
import dev.portolan.mode.Scope;
import dev.portolan.mode.Setting.Use;
import dev.portolan.modes.BackendLock;
import dev.portolan.modes.KernelModes;
import dev.portolan.modes.ModeConfiguration;
import dev.portolan.sync.Keeper;
import dev.portolan.takeover.TakeoverOptions;
import dev.portolan.terminal.Choice;
import dev.portolan.terminal.CommandFailure;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;

/** Which backend programs the kernel, and how. */
public final class BackendOptions {
  private static final String EXEC = "exec";

  @Mixin
  private final ModeOption backend =
      ModeOption.backend(
          "What to program: {modes}, or windows on Windows; for 'run' also exec, your own program."
              + " With userspace, connections pass through this process and end with it; with the"
              + " others they go on without it. Default: the mode of --config, otherwise nftables,"
              + " or windows on Windows.");

  @Mixin private final ModeOptions ofModes = new ModeOptions(Use.RULES);

  private Optional<ModeSettings> file = Optional.empty();

  /** What no option says is as in these settings, which a configuration file has. */
  public void follow(Optional<ModeSettings> settings) {
    file = settings;
  }

  /**
   * A backend, and how to keep it in sync.
   *
   * @param claim the lock that it needs, if it programs a kernel
   */
  public record Chosen(
      Supplier<Opened> opening, Optional<BackendLock.Claim> claim, Keeper.Options keeping) {
    /** Opens the backend; nothing is written yet. */
    public Opened open() {
      return opening.get();
    }
  }

  /**
   * A backend that is open.
   *
   * @param preview what a first sync would change in the kernel, line by line
   * @param replaced what of another program's the first sync replaced
   * @param former where to look for what Portolan wrote before with another backend, or under
   *     another name; empty for a backend that may go with any
   */
  public record Opened(
      String description,
      Backend backend,
      Function<NodeImage, List<String>> preview,
      Supplier<List<String>> replaced,
      Optional<TakeoverOptions> former) {}

  /**
   * The backend that was named, for use in {@code namespace}, not yet opened; wrong options are
   * reported at once.
   *
   * @param tcp which flows of TCP end
   * @param force whether tables of another program may be replaced
   * @param listener receives the access log, what a program prints, and what is done beside syncing
   */
  public Chosen choose(
      NetworkNamespaceOption namespace,
      TcpCleaning tcp,
      boolean force,
      ProgramOptions program,
      ModeListener listener) {
    String chosen = known(toString(), EXEC);
    ofModes.refuseFor(chosen);
    if (chosen.equals(EXEC)) {
      OtherBackend.refuse(
          "--conntrack-clean-tcp",
          tcp != TcpCleaning.NEVER,
          KernelModes.names(Platform.LINUX),
          chosen);
      OtherBackend.refuse("--force", force, KernelModes.withTables(), chosen);
      ExecOptions options = program.options(listener::say).in(namespace.path());
      return new Chosen(
          () ->
              new Opened(
                  "telling " + program,
                  new ExecBackend(options),
                  image -> List.of(),
                  List::of,
                  Optional.empty()),
          Optional.empty(),
          Keeper.Options.DEFAULT);
    }
    program.refuseFor(chosen);
    OtherBackend.refuse("--force", force, KernelModes.withTables(), chosen);
    Optional<Path> place = namespace.path();
    Keeper.Options keeping = Keeper.Options.DEFAULT.flows(tcp, place);
    ModeRules rules = rules(place, force, listener);
    if (rules.areOfKernel()) {
      refuseElsewhere(mode());
    }
    Optional<BackendLock.Claim> claim =
        rules.areOfKernel()
            ? Optional.of(new BackendLock.Claim(mode().lock(), place, "portolan run"))
            : Optional.empty();
    return new Chosen(() -> open(namespace, rules, place, listener), claim, keeping);
  }

  /** The backend of a mode, or one of {@code others}. */
  private static String known(String backend, String... others) {
    return KernelModes.named(backend)
        .map(Mode::name)
        .orElseGet(() ->
            Choice.of(
                "--backend",
                backend,
                Stream.concat(KernelModes.names(Platform.current()).stream(), Stream.of(others))
                    .toList()));
  }

  /** The mode with this backend, which must be one of this system. */
  public static Mode here(String backend) {
    Mode mode = KernelModes.named(known(backend)).orElseThrow();
    refuseElsewhere(mode);
    return mode;
  }

  private static void refuseElsewhere(Mode mode) {
    if (!KernelModes.runsOn(mode, Platform.current())) {
      throw CommandFailure.usage(
          "--backend: %s needs %s, and this is %s; use %s"
              .formatted(
                  mode.name(),
                  mode.isForWindows() ? "Windows" : "Linux",
                  System.getProperty("os.name"),
                  Choice.or(KernelModes.names(Platform.current()))));
    }
  }

  private Opened open(
      NetworkNamespaceOption namespace,
      ModeRules rules,
      Optional<Path> place,
      ModeListener listener) {
    OpenBackend opened = rules.open(obstacle -> obstacle.ifPresent(listener::say));
    if (!rules.areOfKernel()) {
      return new Opened(
          opened.description(),
          opened.backend(),
          opened.preview(),
          opened.replaced(),
          Optional.empty());
    }
    return new Opened(
        "programming " + namespace + " with " + opened.description(),
        opened.backend(),
        opened.preview(),
        opened.replaced(),
        Platform.current() == Platform.WINDOWS
            ? Optional.empty()
            : Optional.of(former(opened, place)));
  }

  private TakeoverOptions former(OpenBackend opened, Optional<Path> place) {
    return ModeConfiguration.leftovers(settings(), opened.own(), List.of())
        .of(Scope.OURS)
        .in(place);
  }

  /** What the options say on top of the file. */
  private ModeSettings settings() {
    return file.orElseGet(ModeConfiguration::byDefault).choosing(ofModes.settings());
  }

  /** The mode that programs the kernel; a backend without a kernel is refused. */
  public Mode mode() {
    String chosen = known(toString());
    ofModes.refuseFor(chosen);
    return KernelModes.named(chosen).orElseThrow();
  }

  /**
   * What the options say of the rules of {@link #mode}, in {@code namespace}.
   *
   * @param force whether tables of another program may be replaced
   */
  public ModeRules rules(Optional<Path> namespace, boolean force) {
    return rules(namespace, force, ModeListener.NONE);
  }

  private ModeRules rules(Optional<Path> namespace, boolean force, ModeListener listener) {
    return mode()
        .rules(settings().with(ofModes.fields()).telling(listener).forced(force).in(namespace));
  }

  /** Refuses what is not the name of a table. */
  public static void checkTable(String name) {
    String _ = ModeOptions.read(ModeConfiguration.table(), name);
  }

  /** What is left when it stops, as half a sentence; empty for nothing. */
  public String left() {
    Optional<Mode> mode = KernelModes.named(toString());
    if (mode.isEmpty() || !rules(Optional.empty(), false).areOfKernel()) {
      return "";
    }
    return mode.get().outlivesItsProcess()
        ? "the rules stay in place ('portolan cleanup' removes them)"
        : "services are refused until it runs again ('portolan cleanup' removes the rules)";
  }

  /** The backend that was named, else that of the file, else nftables. */
  @Override
  public String toString() {
    String chosen = backend.value();
    return chosen != null
        ? chosen
        : file.flatMap(it -> KernelModes.worded(it.fields().text("mode")))
            .orElse(KernelModes.here().getFirst())
            .name();
  }
}

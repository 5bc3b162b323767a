package dev.portolan.cli.command;

import dev.portolan.api.transport.Address;
import dev.portolan.apiserver.ApiAccess;
import dev.portolan.apiserver.ApiException;
import dev.portolan.apiserver.InCluster;
import dev.portolan.apiserver.Kubeconfig;
import dev.portolan.config.Start;
import dev.portolan.config.StartPlan;
import dev.portolan.config.file.ConfigText;
import dev.portolan.config.finding.ConfigException;
import dev.portolan.config.gates.Platform;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.doctor.RunningDaemon;
import dev.portolan.doctor.Subject;
import dev.portolan.mode.Setting.Use;
import dev.portolan.modes.ModeConfiguration;
import dev.portolan.options.ApiOptions;
import dev.portolan.options.ConfigFindings;
import dev.portolan.options.KubeOptions;
import dev.portolan.options.ModeOptions;
import dev.portolan.options.NetworkNamespaceOption;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which node is looked at: its configuration, its network, its way to the API server. */
final class SubjectOptions {
  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "The daemon's KubeProxyConfiguration. Unset: what the daemon on this node says that it"
              + " has, or kube-proxy's defaults.")
  private String config = "";

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description =
          "How the API server is reached. Unset: clientConnection.kubeconfig of the configuration,"
              + " the service account of this pod, or what kubectl uses.")
  private String kubeconfig = "";

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description = "The context of the kubeconfig to use. Unset: its current one.")
  private String context = "";

  @Option(
      names = "--api",
      paramLabel = "ADDRESS",
      description = "This node's daemon, as unix:///PATH. Default: /run/portolan/node.sock.")
  private String api = "";

  @Mixin private final ModeOptions ofModes = new ModeOptions(Use.NODE);
  @Mixin private final NetworkNamespaceOption namespace = new NetworkNamespaceOption();

  /** The node; a configuration that cannot be used is reported on {@code terminal}. */
  Subject subject(Terminal terminal) {
    Optional<StartPlan> running =
        config.isEmpty() ? RunningDaemon.configuration(namespace.path()) : Optional.empty();
    StartPlan plan = running.orElseGet(() -> plan(terminal));
    String named =
        kubeconfig.isEmpty() ? plan.configuration().clientConnection().kubeconfig() : kubeconfig;
    boolean inPod = System.getenv("KUBERNETES_SERVICE_HOST") != null;
    List<Path> files =
        !named.isEmpty() ? List.of(Path.of(named)) : inPod ? List.of() : KubeOptions.usual();
    return new Subject(
        namespace.path(),
        plan,
        running.isPresent() || !config.isEmpty(),
        ModeConfiguration.of(plan).choosing(ofModes.settings()).in(namespace.path()),
        socket(),
        () -> access(files, plan.master()),
        files.isEmpty() ? List.of(InCluster.TOKEN) : files);
  }

  private StartPlan plan(Terminal terminal) {
    List<String> flags = config.isEmpty() ? List.of() : List.of("--config=" + config);
    try {
      return (StartPlan) Start.of(flags, ConfigText::read, Platform.LINUX);
    } catch (ConfigException e) {
      new ConfigFindings(terminal).print(e.errors());
      throw CommandFailure.input(
          ErrorCode.CONFIGURATION,
          "--config: "
              + Text.printable(config)
              + " is not a usable configuration, "
              + ConfigFindings.count(e.errors()));
    }
  }

  private Path socket() {
    Address address = api.isEmpty() ? ApiOptions.daemon() : ApiOptions.address("--api", api);
    if (address instanceof Address.Unix(Path socket)) {
      return socket;
    }
    throw CommandFailure.usage(
        "--api: '" + Text.printable(api) + "' is not a socket of this node; write unix:///path");
  }

  private ApiAccess access(List<Path> files, Optional<String> master) throws ApiException {
    if (files.isEmpty()) {
      return master.isPresent()
          ? ApiAccess.of(master.get())
          : InCluster.find("set KUBECONFIG, or give --kubeconfig");
    }
    ApiAccess access = Kubeconfig.read(files, Optional.of(context).filter(name -> !name.isEmpty()));
    return master.isPresent() ? access.withServer(master.get()) : access;
  }
}

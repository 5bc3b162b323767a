package dev.portolan.backend.windows;

import dev.portolan.core.backend.BackendException;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.Dataplane;
import dev.portolan.core.node.NodeImage;
import dev.portolan.mode.Fields;
import dev.portolan.mode.KernelProbe;
import dev.portolan.mode.Mode;
import dev.portolan.mode.ModeMetric;
import dev.portolan.mode.ModeRules;
import dev.portolan.mode.ModeSettings;
import dev.portolan.mode.OpenBackend;
import dev.portolan.mode.Own;
import dev.portolan.mode.Scope;
import dev.portolan.telemetry.metrics.MetricRow;
import dev.portolan.text.syntax.HostPort;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** Load balancers of the Host Network Service of Windows. */
public record WindowsMode() implements Mode {
  private static final String OVERLAY_GATE = "WinOverlay";

  /** What names the network where the configuration does not. */
  private static final String NETWORK_VARIABLE = "KUBE_NETWORK";

  @Override
  public String name() {
    return "windows";
  }

  @Override
  public String word() {
    return "kernelspace";
  }

  @Override
  public String lock() {
    return name();
  }

  @Override
  public boolean isForWindows() {
    return true;
  }

  @Override
  public List<String> fields() {
    return List.of("winkernel.networkName", "winkernel.sourceVip", "winkernel.enableDSR");
  }

  @Override
  public String kernelPart() {
    return "hns";
  }

  @Override
  public boolean servesNodePortsEverywhere() {
    return true;
  }

  /** There is nothing of others to tell it from: its load balancers have ids of ours. */
  @Override
  public Scope cleanup() {
    return Scope.OURS;
  }

  @Override
  public String extension() {
    return "txt";
  }

  @Override
  public ModeRules rules(ModeSettings settings) {
    return new Rules(options(settings));
  }

  /** How the backend works with these settings. */
  public static WindowsOptions options(ModeSettings settings) {
    Fields fields = settings.fields();
    String network = fields.text("winkernel.networkName");
    String root = fields.text("winkernel.rootHnsEndpointName");
    WindowsOptions usual =
        WindowsOptions.of(
            network.isEmpty()
                ? Objects.requireNonNullElse(System.getenv(NETWORK_VARIABLE), "")
                : network);
    return new WindowsOptions(
        usual.network(),
        Ip.parse(fields.text("winkernel.sourceVip")),
        fields.truth("winkernel.enableDSR"),
        settings.gates().test(OVERLAY_GATE),
        fields.truth("winkernel.forwardHealthCheckVip"),
        root.isEmpty() ? usual.rootEndpoint() : root,
        port(fields.text("healthzBindAddress")),
        usual.ids(),
        usual.subnetWait());
  }

  private static int port(String address) {
    return HostPort.split(address).map(place -> Integer.parseInt(place.port())).orElse(0);
  }

  private record Rules(WindowsOptions options) implements ModeRules {
    @Override
    public Dataplane dataplane() {
      return options.dataplane();
    }

    @Override
    public OpenBackend open() {
      WindowsBackend opened = new WindowsBackend(options);
      return new OpenBackend(
          "windows, HNS " + opened.version() + ", network " + options.network(),
          opened,
          own(),
          opened::preview,
          opened::preview,
          opened::replaced);
    }

    @Override
    public List<String> init() {
      return List.of();
    }

    @Override
    public String text(NodeImage image, IpFamily family) {
      return WindowsText.of(image, family, options);
    }

    @Override
    public List<String> tables() {
      return List.of();
    }

    @Override
    public Set<Own> own() {
      return Set.of();
    }

    @Override
    public boolean arePresent() {
      try (WindowsBackend opened = new WindowsBackend(options)) {
        return !opened.isBlank();
      }
    }

    @Override
    public KernelProbe probe(NodeImage sample, boolean used) {
      try (WindowsBackend opened = new WindowsBackend(options)) {
        return new KernelProbe.Works("HNS " + opened.version() + " answers");
      } catch (BackendException e) {
        return e.code() == ErrorCode.PRIVILEGES
            ? new KernelProbe.Forbidden()
            : new KernelProbe.Lacks(String.valueOf(e.getMessage()), "see docs/windows.md");
      }
    }

    @Override
    public List<ModeMetric> measured() {
      return refusals();
    }

    @Override
    public String dump() {
      try (WindowsBackend opened = new WindowsBackend(options)) {
        return String.join("\n", opened.dump()) + "\n";
      }
    }
  }

  /** What HNS refused, as kube-proxy counts it. */
  static List<ModeMetric> refusals() {
    return Stream.of(BalancerRefusal.Change.values()).map(WindowsMode::refused).toList();
  }

  private static ModeMetric refused(BalancerRefusal.Change change) {
    return ModeMetric.read(
        MetricRow.of(
            "kubeproxy_sync_proxy_rules_winkernel_lb_"
                + change.name().toLowerCase(Locale.ROOT)
                + "_failures_total"),
        WindowsBackend.class,
        (backend, samples) ->
            backend
                .refusals()
                .forEach((refusal, count) -> {
                  if (refusal.change() == change) {
                    samples.add(
                        count,
                        refusal.error(),
                        refusal.family().toString(),
                        refusal.kind().label());
                  }
                }));
  }
}

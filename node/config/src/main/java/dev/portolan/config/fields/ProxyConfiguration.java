package dev.portolan.config.fields;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The configuration as the program reads it: the shape of v1alpha2, every field with a value.
 *
 * <p>The names are those of the file; {@code portolan config explain} says what each one does.
 */
public record ProxyConfiguration(
    Map<String, Boolean> featureGates,
    ClientConnection clientConnection,
    Logging logging,
    String hostnameOverride,
    List<String> nodeIPOverride,
    String ipFamilyPolicy,
    String healthzBindAddress,
    String metricsBindAddress,
    boolean bindAddressHardFail,
    boolean configHardFail,
    boolean enableProfiling,
    String showHiddenMetricsForVersion,
    ProxyMode mode,
    Iptables iptables,
    Linux linux,
    Duration syncPeriod,
    Duration minSyncPeriod,
    Ipvs ipvs,
    Nftables nftables,
    Winkernel winkernel,
    String detectLocalMode,
    DetectLocal detectLocal,
    List<String> nodePortAddresses,
    Duration configSyncPeriod,
    Windows windows) {

  /** How the API server is reached. */
  public record ClientConnection(
      String kubeconfig, String acceptContentTypes, String contentType, float qps, int burst) {}

  /** What is logged, and how. */
  public record Logging(
      String format,
      Duration flushFrequency,
      long verbosity,
      List<VmoduleItem> vmodule,
      LoggingOptions options) {}

  /** The options of each log format. */
  public record LoggingOptions(LogStream text, LogStream json) {}

  /** How one log format writes its lines. */
  public record LogStream(boolean splitStream, String infoBufferSize) {}

  /** For the mode iptables. */
  public record Iptables(int masqueradeBit, boolean localhostNodePorts) {}

  /** For the mode nftables. */
  public record Nftables(int masqueradeBit) {}

  /** For the mode ipvs. */
  public record Ipvs(
      int masqueradeBit,
      String scheduler,
      List<String> excludeCIDRs,
      boolean strictARP,
      Duration tcpTimeout,
      Duration tcpFinTimeout,
      Duration udpTimeout) {}

  /** For the mode kernelspace. */
  public record Winkernel(
      String networkName,
      String sourceVip,
      boolean enableDSR,
      String rootHnsEndpointName,
      boolean forwardHealthCheckVip) {}

  /** How traffic of this node's pods is recognised. */
  public record DetectLocal(
      String bridgeInterface, List<String> clusterCIDRs, String interfaceNamePrefix) {}

  /** What all modes on Linux share. */
  public record Linux(boolean masqueradeAll, int oomScoreAdj, Conntrack conntrack) {}

  /** The kernel's connection tracking. */
  public record Conntrack(
      int maxPerCore,
      int min,
      Duration tcpEstablishedTimeout,
      Duration tcpCloseWaitTimeout,
      boolean tcpBeLiberal,
      Duration udpTimeout,
      Duration udpStreamTimeout) {}

  /** What all modes on Windows share. */
  public record Windows(boolean runAsService) {}

  /** The configuration in these settings, converted and with defaults where they need it. */
  public static ProxyConfiguration of(Settings settings) {
    Settings latest = Conversion.convert(settings, ConfigVersion.latest()).settings();
    return RecordBinding.bind(ProxyConfiguration.class, "", latest);
  }

  /** The values by path, in the latest version. */
  public Settings settings() {
    return Settings.of(ConfigVersion.latest(), RecordBinding.unbind(this));
  }
}

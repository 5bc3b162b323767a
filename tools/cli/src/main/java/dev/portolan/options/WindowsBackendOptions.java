package dev.portolan.options;

import dev.portolan.core.net.Ip;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How the backend windows works, named like kube-proxy's flags. */
final class WindowsBackendOptions {
  private static final String BACKEND = "windows";
  private static final String NETWORK = "--network-name";
  private static final String SOURCE_VIP = "--source-vip";
  private static final String DSR = "--enable-dsr";

  @Option(
      names = NETWORK,
      paramLabel = "NAME",
      description =
          "With --backend windows: the network of the Host Network Service that pods are in."
              + " Default: that of --config, otherwise the environment variable KUBE_NETWORK.")
  private @Nullable String network;

  @Option(
      names = SOURCE_VIP,
      paramLabel = "IP",
      description =
          "With --backend windows: the address that endpoints see in place of the client's in an"
              + " overlay. Default: that of --config.")
  private @Nullable String sourceVip;

  @Option(
      names = DSR,
      arity = "0..1",
      fallbackValue = "true",
      paramLabel = "BOOLEAN",
      description =
          "With --backend windows: let endpoints answer clients themselves (direct server return).")
  private @Nullable Boolean dsr;

  /** Says that these options mean nothing to another backend, where one was given. */
  void refuseFor(String backend) {
    OtherBackend.refuse(NETWORK, network != null, BACKEND, backend);
    OtherBackend.refuse(SOURCE_VIP, sourceVip != null, BACKEND, backend);
    OtherBackend.refuse(DSR, dsr != null, BACKEND, backend);
  }

  /** What was given, by the paths in a configuration. */
  Map<String, Object> values() {
    Map<String, Object> values = new HashMap<>();
    if (network != null) {
      values.put("winkernel.networkName", network);
    }
    if (sourceVip != null) {
      if (Ip.parse(sourceVip).isEmpty()) {
        throw NodeSettingsOptions.bad(SOURCE_VIP, sourceVip, "must be an IP address");
      }
      values.put("winkernel.sourceVip", sourceVip);
    }
    if (dsr != null) {
      values.put("winkernel.enableDSR", dsr);
    }
    return values;
  }
}

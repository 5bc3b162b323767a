package dev.portolan.options;

import dev.portolan.core.net.Cidr;
import dev.portolan.core.text.GoDuration;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How the backend ipvs works, named like kube-proxy's flags. */
final class IpvsBackendOptions {
  private static final String SCHEDULER = "--ipvs-scheduler";
  private static final String STRICT_ARP = "--ipvs-strict-arp";
  private static final String EXCLUDED = "--ipvs-exclude-cidrs";
  private static final String TCP = "--ipvs-tcp-timeout";
  private static final String TCP_FIN = "--ipvs-tcpfin-timeout";
  private static final String UDP = "--ipvs-udp-timeout";

  @Option(
      names = SCHEDULER,
      paramLabel = "NAME",
      description =
          "How IPVS chooses endpoints: rr, wrr, lc, wlc, lblc, lblcr, sh, dh, sed, nq, mh, or"
              + " another that the kernel has. Default: that of --config, otherwise rr.")
  private @Nullable String scheduler;

  @Option(
      names = STRICT_ARP,
      arity = "0..1",
      fallbackValue = "true",
      paramLabel = "BOOLEAN",
      description = "Answer ARP only for the addresses of the interface that is asked.")
  private @Nullable Boolean strictArp;

  @Option(
      names = EXCLUDED,
      paramLabel = "CIDR[,CIDR...]",
      hideParamSyntax = true,
      split = ",",
      description = "Virtual servers in these ranges are left alone.")
  private @Nullable List<String> excluded;

  @Option(
      names = TCP,
      paramLabel = "DURATION",
      description = "The timeout of idle TCP connections. Default: the kernel's.")
  private @Nullable String tcp;

  @Option(
      names = TCP_FIN,
      paramLabel = "DURATION",
      description = "The timeout of TCP connections after a FIN. Default: the kernel's.")
  private @Nullable String tcpFin;

  @Option(
      names = UDP,
      paramLabel = "DURATION",
      description = "The timeout of UDP. Default: the kernel's.")
  private @Nullable String udp;

  /** What was given, by its place in a configuration. */
  Map<String, Object> values() {
    Map<String, Object> values = new HashMap<>();
    put(values, "ipvs.scheduler", scheduler);
    put(values, "ipvs.strictARP", strictArp);
    if (excluded != null) {
      excluded.stream()
          .filter(text -> Cidr.parse(text).isEmpty())
          .findFirst()
          .ifPresent(text -> {
            throw NodeSettingsOptions.bad(EXCLUDED, text, "is not a valid CIDR");
          });
      values.put("ipvs.excludeCIDRs", List.copyOf(excluded));
    }
    put(values, "ipvs.tcpTimeout", duration(TCP, tcp));
    put(values, "ipvs.tcpFinTimeout", duration(TCP_FIN, tcpFin));
    put(values, "ipvs.udpTimeout", duration(UDP, udp));
    return values;
  }

  private static void put(Map<String, Object> values, String path, @Nullable Object value) {
    if (value != null) {
      values.put(path, value);
    }
  }

  private static @Nullable Duration duration(String option, @Nullable String text) {
    return text == null
        ? null
        : GoDuration.parse(text)
            .filter(duration -> !duration.isNegative())
            .orElseThrow(
                () -> NodeSettingsOptions.bad(option, text, "must be a duration such as 15m"));
  }

  /** Says that these options mean nothing to another backend, where one was given. */
  void refuseFor(String backend) {
    OtherBackend.refuse(SCHEDULER, scheduler != null, "ipvs", backend);
    OtherBackend.refuse(STRICT_ARP, strictArp != null, "ipvs", backend);
    OtherBackend.refuse(EXCLUDED, excluded != null, "ipvs", backend);
    OtherBackend.refuse(TCP, tcp != null, "ipvs", backend);
    OtherBackend.refuse(TCP_FIN, tcpFin != null, "ipvs", backend);
    OtherBackend.refuse(UDP, udp != null, "ipvs", backend);
  }
}

package dev.portolan.bench;

import java.util.Locale;

/**
 * The layout of one chain and one anonymous map per service, which kube-proxy uses, loaded by the
 * nft program.
 */
final class Peer {
  private static final int CHANGES = 10;

  private Peer() {}

  static void run(Report report, BenchNamespace namespace, int services, int endpoints) {
    report.progress("the peer: a chain per service, loaded by nft");
    String table = table(services, endpoints);
    long start = System.nanoTime();
    namespace.nft(table, "-f", "-");
    report.value("peer: full load by nft -f", (System.nanoTime() - start) / 1e6, "ms");
    Samples samples =
        Samples.of(
            1,
            CHANGES,
            i -> {
              String chain = "service-" + i * 797 % services;
              namespace.nft(
                  "flush chain ip peer "
                      + chain
                      + "\nadd rule ip peer "
                      + chain
                      + " "
                      + pick(i * 797 % services, endpoints, 7)
                      + "\n",
                  "-f",
                  "-");
            });
    report.value("peer: one endpoint replaced by nft -f, median", samples.millis(0.5), "ms");
    namespace.nft("", "delete", "table", "ip", "peer");
  }

  private static String table(int services, int endpoints) {
    StringBuilder text = new StringBuilder("table ip peer {\n");
    StringBuilder elements = new StringBuilder();
    for (int i = 0; i < services; i++) {
      text.append(
          String.format(Locale.ROOT, " chain service-%d {\n  %s\n }\n", i, pick(i, endpoints, 0)));
      elements.append(
          String.format(
              Locale.ROOT,
              "%s%s . tcp . 80 : goto service-%d",
              i == 0 ? "" : ", ",
              ip(10, 96, i),
              i));
    }
    text.append(
        " map service-ips {\n  type ipv4_addr . inet_proto . inet_service : verdict\n  elements = { ");
    text.append(elements).append(" }\n }\n");
    text.append(
        """
         chain nat-prerouting {
          type nat hook prerouting priority dstnat; policy accept;
          ip daddr . meta l4proto . th dport vmap @service-ips
         }
        }
        """);
    return text.toString();
  }

  private static String pick(int service, int endpoints, int version) {
    StringBuilder choices = new StringBuilder();
    for (int e = 0; e < endpoints; e++) {
      choices.append(
          String.format(
              Locale.ROOT,
              "%s%d : %s . 8080",
              e == 0 ? "" : ", ",
              e,
              ip(10, 128 + version, service * endpoints + e)));
    }
    return "meta l4proto tcp dnat ip addr . port to numgen random mod "
        + endpoints
        + " map { "
        + choices
        + " }";
  }

  private static String ip(int first, int second, int rest) {
    return String.format(
        Locale.ROOT, "%d.%d.%d.%d", first, second + rest / 65536, rest / 256 % 256, rest % 256);
  }
}

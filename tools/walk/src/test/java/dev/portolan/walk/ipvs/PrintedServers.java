package dev.portolan.walk.ipvs;

import dev.portolan.core.net.Ip;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.ipvs.RealServer;
import dev.portolan.netlink.ipvs.ServiceSettings;
import dev.portolan.netlink.ipvs.VirtualService;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What our backend would write, from what it prints: for kernels without IPVS. */
record PrintedServers(List<String> addresses, List<VirtualServers.Server> servers, String table) {
  private static final Pattern ADDRESS = Pattern.compile("  (\\S+)/(32|128)");
  private static final Pattern SERVICE =
      Pattern.compile("(TCP|UDP|SCTP) +(\\S+):(\\d+) (\\w+)(?: persistent (\\d+))?.*");
  private static final Pattern REAL = Pattern.compile("  -> (\\S+):(\\d+) +Masq +(\\d+)");

  static PrintedServers of(String text) {
    List<String> addresses = new ArrayList<>();
    List<VirtualServers.Server> servers = new ArrayList<>();
    for (String line : text.lines().toList()) {
      Matcher address = ADDRESS.matcher(line);
      Matcher service = SERVICE.matcher(line);
      Matcher real = REAL.matcher(line);
      if (address.matches()) {
        addresses.add(address.group(1));
      } else if (service.matches()) {
        servers.add(server(service));
      } else if (real.matches()) {
        VirtualServers.Server last = servers.removeLast();
        List<RealServer> all = new ArrayList<>(last.real());
        all.add(
            new RealServer(
                address(real.group(1)),
                Integer.parseInt(real.group(2)),
                Integer.parseInt(real.group(3))));
        servers.add(new VirtualServers.Server(last.service(), last.settings(), all));
      }
    }
    return new PrintedServers(
        addresses, servers, text.substring(text.indexOf("what is beside them, for nft\n") + 29));
  }

  private static VirtualServers.Server server(Matcher service) {
    int protocol =
        switch (service.group(1)) {
          case "TCP" -> 6;
          case "UDP" -> 17;
          default -> 132;
        };
    boolean persistent = service.group(5) != null;
    InetAddress address = address(service.group(2));
    return new VirtualServers.Server(
        new VirtualService(protocol, address, Integer.parseInt(service.group(3)), 0),
        ServiceSettings.of(
            AddressFamily.of(address),
            service.group(4),
            persistent ? ServiceSettings.PERSISTENT : 0,
            persistent ? Integer.parseInt(service.group(5)) : 0),
        List.of());
  }

  private static InetAddress address(String text) {
    try {
      return InetAddress.getByAddress(Ip.of(text.replaceAll("[\\[\\]]", "")).toBytes());
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }
}

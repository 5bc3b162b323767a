package dev.portolan.backend.ipvs;

import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.NodeImage;
import dev.portolan.netlink.ipvs.Ipvs;
import dev.portolan.netlink.ipvs.ServerEntry;
import dev.portolan.netlink.ipvs.ServiceEntry;
import dev.portolan.netlink.route.Link;
import dev.portolan.netlink.route.Links;
import dev.portolan.nftables.table.TableText;
import java.util.Optional;

/** Prints what the backend writes, and what a kernel has of it, for people. */
public final class IpvsText {
  private IpvsText() {}

  /**
   * All that a node gets for {@code image} in one family. NodePorts are shown on the addresses that
   * the cluster knows of the node; the backend serves them on those that the node has.
   */
  public static String of(NodeImage image, IpFamily family, IpvsOptions options) {
    StringBuilder text = new StringBuilder();
    text.append("# ").append(family).append(": sysctls\n");
    new VsSysctls(options).lines().forEach(line -> text.append(line).append('\n'));
    text.append("\n# ").append(family).append(": addresses and virtual servers\n");
    IpvsState.of(image, options).lines(family).forEach(line -> text.append(line).append('\n'));
    text.append("\n# ").append(family).append(": what is beside them, for nft\n");
    TableText.print(IpvsRules.render(image, family, options), IpvsOptions.TABLE, text);
    return text.toString();
  }

  /**
   * The virtual servers that the kernel has, regardless of who made them, and the device's
   * addresses.
   */
  public static String ofKernel(IpvsOptions options) {
    StringBuilder text = new StringBuilder();
    try (Links links = new Links(options.namespace())) {
      Optional<Link> device = links.named(IpvsOptions.DEVICE);
      text.append(device.isPresent() ? "device " : "no device ")
          .append(IpvsOptions.DEVICE)
          .append('\n');
      links.addresses().stream()
          .filter(address -> device.isPresent() && address.link() == device.get().index())
          .forEach(
              address -> text.append("  ").append(address.address().getHostAddress()).append('\n'));
    }
    Optional<Ipvs> opened = Ipvs.open(options.namespace());
    if (opened.isEmpty()) {
      return text.append("the module ip_vs is not loaded\n").toString();
    }
    try (Ipvs kernel = opened.get()) {
      for (ServiceEntry service : kernel.entries()) {
        text.append(service).append('\n');
        for (ServerEntry server : kernel.servers(service.service())) {
          text.append("  -> ")
              .append(server.server())
              .append(" weight ")
              .append(server.server().weight())
              .append(", ")
              .append(server.active())
              .append(" active, ")
              .append(server.inactive())
              .append(" inactive\n");
        }
      }
    }
    return text.toString();
  }
}

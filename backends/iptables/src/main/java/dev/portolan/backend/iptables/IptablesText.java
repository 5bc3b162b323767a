package dev.portolan.backend.iptables;

import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Prints all rules of a node as iptables-restore reads them, for a kernel that has none of them.
 */
public final class IptablesText {
  private IptablesText() {}

  /** The rules of all families that the node serves, each with a comment in front. */
  public static String render(NodeImage image, IptablesOptions options) {
    StringBuilder text = new StringBuilder();
    for (IpFamily family : IpFamily.values()) {
      if (image.facts().families().contains(family)) {
        text.append(titled(image, family, options));
      }
    }
    return text.toString();
  }

  /** The rules of one family, with a comment in front that names the program for them. */
  public static String titled(NodeImage image, IpFamily family, IptablesOptions options) {
    return (family == IpFamily.IPV4 ? "# iptables" : "# ip6tables")
        + "-restore --noflush\n"
        + render(image, family, options);
  }

  /** The rules of one family. */
  public static String render(NodeImage image, IpFamily family, IptablesOptions options) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    print(image, family, options, bytes);
    return bytes.toString(StandardCharsets.ISO_8859_1);
  }

  /** The same, written out as it is made. */
  public static void print(
      NodeImage image, IpFamily family, IptablesOptions options, OutputStream out) {
    FamilySetting setting =
        FamilySetting.of(image.facts(), family, options, FamilySetting.Ability.USUAL);
    int endpoints = 0;
    for (NodeService service : image.services()) {
      endpoints +=
          service.ports().stream()
              .filter(port -> port.family() == family)
              .mapToInt(PortRules::endpoints)
              .sum();
    }
    Restore.whole(setting, image, new KernelRules(), endpoints <= options.largeClusterEndpoints())
        .write(RestoreWriter.to(out));
  }
}

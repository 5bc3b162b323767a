package dev.portolan.demo;

import dev.portolan.netlink.AddressFamily;
import dev.portolan.nftables.Nftables;
import dev.portolan.nftables.Nftables.SetInfo;
import java.util.List;
import java.util.Optional;

/** Shows what is in the kernel after all this. */
final class RulesAct implements Act {
  private static final String TABLE = DemoStage.TABLE;
  private static final String MAP = "tcp-endpoints";
  private static final int MOST_LINES = 12;

  @Override
  public void play(DemoStage stage, Page page) {
    page.heading("What the kernel has");
    int elements = 0;
    List<SetInfo> sets;
    int chains;
    int rules;
    try (Nftables kernel = new Nftables(Optional.of(stage.lab().node().path()))) {
      sets = kernel.sets(AddressFamily.IPV4, TABLE);
      chains = kernel.chains(AddressFamily.IPV4, TABLE).size();
      rules = kernel.rules(AddressFamily.IPV4, TABLE).size();
      for (SetInfo set : sets) {
        elements += kernel.elements(AddressFamily.IPV4, TABLE, set.name()).size();
      }
    }
    page.text(
        "Four services are "
            + elements
            + " elements in "
            + sets.size()
            + " maps and sets. The "
            + chains
            + " chains with their "
            + rules
            + " rules are shared: ten thousand more services would add elements, but hardly any"
            + " rules.");
    if (InstalledPrograms.exist("nft")) {
      page.gap();
      page.text("$ nft list map ip " + TABLE + " " + MAP);
      List<String> listing =
          stage
              .lab()
              .node()
              .exec("nft", "list", "map", "ip", TABLE, MAP)
              .lines()
              .map(RulesAct::narrow)
              .toList();
      page.lines(listing.stream().limit(MOST_LINES).toList());
    }
    page.gap();
    page.check(elements > 0 && chains > 0, "table ip " + TABLE + " exists, written over netlink");
  }

  /** A line of nft with narrow tabs, the elements still below each other. */
  private static String narrow(String line) {
    return line.replace("\t\t\t     ", " ".repeat("    elements = { ".length()))
        .replace("\t", "  ");
  }
}

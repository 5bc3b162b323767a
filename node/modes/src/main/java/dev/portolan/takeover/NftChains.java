package dev.portolan.takeover;

import dev.portolan.backend.iptables.Chains;
import dev.portolan.backend.iptables.RuleText;
import dev.portolan.mode.Own;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.Attributes;
import dev.portolan.netlink.Errno;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.nftables.Batch;
import dev.portolan.nftables.NftConstants;
import dev.portolan.nftables.Nftables;
import dev.portolan.nftables.TableName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The chains of one family that kube-proxy wrote through iptables-nft, which keeps its tables in
 * nf_tables.
 */
record NftChains(TakeoverOptions options, AddressFamily family, List<ChainPlan> plans)
    implements Leftover {
  private static final int TRIES = 10;

  static List<NftChains> find(TakeoverOptions options, AddressFamily family) {
    try (Nftables kernel = new Nftables(options.namespace())) {
      List<ChainPlan> plans = plans(kernel, options, family);
      return plans.isEmpty() ? List.of() : List.of(new NftChains(options, family, plans));
    }
  }

  @Override
  public String describe() {
    return "iptables, "
        + family
        + ": "
        + plans.stream().map(ChainPlan::describe).collect(Collectors.joining(", "));
  }

  /**
   * Each table changes in one transaction, on the rules that the plan was made for. The table with
   * the mark is the last one, so that what a break leaves is found again.
   */
  @Override
  public void remove() {
    try (Nftables kernel = new Nftables(options.namespace())) {
      for (int i = 0; i < TRIES; i++) {
        int generation = kernel.generation();
        List<ChainPlan> now = plans(kernel, options, family);
        if (now.isEmpty()) {
          return;
        }
        try {
          kernel.commit(batch(now.getLast()), generation);
        } catch (NetlinkException e) {
          if (e.errno() != Errno.ERESTART) {
            throw e;
          }
        }
      }
      throw new NetlinkException(
          "rules were written " + TRIES + " times in the meantime; is kube-proxy still running?");
    }
  }

  private Batch batch(ChainPlan plan) {
    Batch batch = new Batch(plan.table()).family(family);
    for (ChainPlan.Jump jump : plan.jumps()) {
      batch.deleteRule(jump.from(), Long.parseLong(jump.rule()));
    }
    plan.chains().forEach(batch::flushChain);
    plan.chains().forEach(batch::deleteChain);
    return batch;
  }

  private static List<ChainPlan> plans(
      Nftables kernel, TakeoverOptions options, AddressFamily family) {
    List<ChainPlan> plans = new ArrayList<>();
    List<String> tables = kernel.tables(family);
    if (options.onlyOurs() && !isMarked(kernel, family, tables)) {
      return plans;
    }
    for (String table : KubeChains.TABLES) {
      if (!tables.contains(table)) {
        continue;
      }
      List<String> chains =
          kernel.chains(family, table).stream().map(Nftables.ChainInfo::name).toList();
      if (chains.stream().anyMatch(chain -> KubeChains.isOwned(table, chain))) {
        ChainPlan plan =
            ChainPlan.of(
                table,
                chains,
                jumps(kernel, family, table),
                (in, chain) -> options.keeps(Own.NFT_CHAINS, in, chain));
        if (!plan.isEmpty()) {
          plans.add(plan);
        }
      }
    }
    return plans;
  }

  /** Whether the chains are ours; iptables-nft keeps comments as nft does, or as a match. */
  private static boolean isMarked(Nftables kernel, AddressFamily family, List<String> tables) {
    return tables.contains(Chains.NAT)
        && kernel.rules(family, Chains.NAT, Chains.MARK_MASQUERADE).stream()
            .anyMatch(rule -> rule.comment().equals(RuleText.OUR_MARK));
  }

  /**
   * The rules of a table that lead to another chain; of the others, often many, nothing is kept.
   */
  private static List<ChainPlan.Jump> jumps(Nftables kernel, AddressFamily family, String table) {
    return kernel.rules(TableName.of(family, table), NftChains::jump).stream()
        .flatMap(Optional::stream)
        .toList();
  }

  static Optional<ChainPlan.Jump> jump(Nftables.RuleInfo rule) {
    return rule.expressions().all().stream()
        .map(Attributes.Attribute::nested)
        .filter(each -> each.text(NftConstants.EXPRESSION_NAME).orElse("").equals("immediate"))
        .map(each -> each.nested(NftConstants.EXPRESSION_DATA))
        .map(data -> data.nested(NftConstants.IMMEDIATE_DATA).nested(NftConstants.DATA_VERDICT))
        .flatMap(verdict -> verdict.text(NftConstants.VERDICT_CHAIN).stream())
        .findFirst()
        .map(to -> new ChainPlan.Jump(rule.chain(), to, Long.toString(rule.handle())));
  }
}

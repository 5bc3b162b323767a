package dev.portolan.doctor;

import dev.portolan.backend.iptables.IptablesBackend;
import dev.portolan.backend.iptables.IptablesOptions;
import dev.portolan.backend.iptables.IptablesOptions.Variant;
import dev.portolan.backend.nftables.NftablesBackend;
import dev.portolan.backend.nftables.NftablesOptions;
import dev.portolan.config.fields.ProxyMode;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.net.IpFamily;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whether the kernel, and iptables' programs, can do what our rules need. */
record KernelChecks(Subject subject, ProxyMode mode) {
  private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+).*");
  private static final String PROBED_TABLE = "portolan-doctor";
  private static final int MAJOR = 5;
  private static final int MINOR = 13;

  List<CheckResult> run() {
    return List.of(version(System.getProperty("os.version", "")), nftables(), iptables());
  }

  /** Which kernel it is, and whether mode nftables works on it. */
  CheckResult version(String release) {
    String id = "kernel.version";
    Matcher matcher = VERSION.matcher(release);
    if (!matcher.matches()) {
      return CheckResult.unknown(id, "unknown kernel '" + release + "'", "use Linux");
    }
    int major = Integer.parseInt(matcher.group(1));
    int minor = Integer.parseInt(matcher.group(2));
    boolean old = major < MAJOR || (major == MAJOR && minor < MINOR);
    if (!old) {
      return CheckResult.ok(id, "Linux " + release);
    }
    String finding =
        "Linux " + release + "; mode nftables needs " + MAJOR + "." + MINOR + " or later";
    String remedy = "update the kernel, or use mode iptables";
    return mode == ProxyMode.NFTABLES
        ? CheckResult.fail(id, finding, remedy)
        : CheckResult.warn(id, finding, remedy);
  }

  /** Has the kernel check every kind of set, map and rule that we write, without keeping any. */
  private CheckResult nftables() {
    String id = "kernel.nf_tables";
    NftablesOptions options =
        new NftablesOptions(
            PROBED_TABLE, NftablesOptions.DEFAULT.masqueradeBit(), subject.namespace());
    Optional<String> refused;
    try {
      refused = NftablesBackend.refusal(SampleNode.image(subject), options);
    } catch (BackendException e) {
      return failure(
          id,
          ProxyMode.NFTABLES,
          ErrorCode.of(e) == ErrorCode.PRIVILEGES,
          String.valueOf(e.getMessage()),
          "load the module nf_tables, or use mode iptables");
    }
    return refused.isEmpty()
        ? CheckResult.ok(id, "the kernel accepts every kind of set, map and rule that is used")
        : failure(
            id,
            ProxyMode.NFTABLES,
            refused.get().contains("EPERM"),
            "the kernel refuses a rule: " + refused.get(),
            "load the modules nft_chain_nat, nft_ct, nft_fib, nft_masq, nft_nat, nft_numgen and"
                + " nft_reject, or use a kernel that has them");
  }

  /** Which of the two kinds of iptables are installed and work. */
  private CheckResult iptables() {
    String id = "kernel.iptables";
    List<String> there = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    for (Variant variant : List.of(Variant.AUTO, Variant.NFT, Variant.LEGACY)) {
      try (IptablesBackend backend =
          new IptablesBackend(IptablesOptions.DEFAULT.in(subject.namespace()).with(variant))) {
        String found = backend.programs(IpFamily.IPV4);
        if (!there.contains(found)) {
          there.add(found);
        }
      } catch (BackendException e) {
        problems.add(String.valueOf(e.getMessage()));
      }
    }
    if (!there.isEmpty()) {
      return CheckResult.ok(
          id,
          "in use: "
              + there.getFirst()
              + (there.size() > 1 ? "; also installed: " + there.getLast() : ""));
    }
    return mode == ProxyMode.IPTABLES
        ? CheckResult.fail(
            id, problems.getFirst(), "install the package iptables, or use mode nftables")
        : CheckResult.ok(id, "iptables cannot be used here; mode " + mode + " does not need it");
  }

  private CheckResult failure(
      String id, ProxyMode needing, boolean forbidden, String finding, String remedy) {
    if (forbidden) {
      return CheckResult.unknown(
          id, "not permitted to ask the kernel", "run it as root or with CAP_NET_ADMIN");
    }
    return mode == needing
        ? CheckResult.fail(id, finding, remedy)
        : CheckResult.warn(id, finding, remedy);
  }
}

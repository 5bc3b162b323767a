package dev.portolan.backend.iptables;

import dev.portolan.core.node.LocalDetector;
import java.util.ArrayList;
import java.util.List;

/** The text of rules that do not belong to a service, and of parts of those that do. */
public final class RuleText {
  /** By which rules with a counter are known. */
  static final String COUNTING = "-m nfacct";

  /**
   * The comment that distinguishes our chains from kube-proxy's, which have the same names. It is
   * on a rule that kube-proxy rewrites when it starts, so it is gone where kube-proxy took over.
   */
  public static final String OUR_MARK = "rules of Portolan";

  /** The counter of packets that belong to no known connection and were dropped. */
  public static final String INVALID_COUNTER = "ct_state_invalid_dropped_pkts";

  /** The counter of connections to nodePorts on localhost. */
  public static final String LOCALHOST_COUNTER = "localhost_nps_accepted_pkts";

  /**
   * With route_localnet, neighbours could reach what listens on localhost alone (CVE-2020-8558).
   * The kubelet writes the very same rule.
   */
  static final String LOCALNET_GUARD =
      "-m comment --comment \"block incoming localnet connections\" -d 127.0.0.0/8"
          + " ! -s 127.0.0.0/8 -m conntrack ! --ctstate RELATED,ESTABLISHED,DNAT -j DROP";

  private static final String NODE_PORTS_COMMENT =
      "kubernetes service nodeports; NOTE: this must be the last rule in this chain";
  private static final int DIGITS = 10;

  private RuleText() {}

  /** A line that makes a chain, or empties the one that is there. */
  public static String chainLine(String chain) {
    return ":" + chain + " - [0:0]";
  }

  /** The mark that asks for masquerading, as iptables writes numbers. */
  public static String mark(int masqueradeBit) {
    return "0x" + Integer.toHexString(1 << masqueradeBit);
  }

  /**
   * The rules of {@link Chains#POSTROUTING}: what is not marked passes by, and a mark is taken off,
   * so that a packet which comes around again is not masqueraded twice.
   */
  public static List<String> postrouting(int masqueradeBit, boolean randomFully) {
    String mark = mark(masqueradeBit);
    return List.of(
        "-m mark ! --mark " + mark + "/" + mark + " -j RETURN",
        "-j MARK --xor-mark " + mark,
        "-m comment --comment \"kubernetes service traffic requiring SNAT\" -j MASQUERADE"
            + (randomFully ? " --random-fully" : ""));
  }

  /** The rule of {@link Chains#MARK_MASQUERADE}, with our mark on it. */
  public static String markMasquerade(int masqueradeBit) {
    return "-m comment --comment \"" + OUR_MARK + "\" -j MARK --or-mark " + mark(masqueradeBit);
  }

  /** Whether these words of a rule of {@link Chains#MARK_MASQUERADE} have our mark. */
  public static boolean isMarked(List<String> words) {
    return words.contains('"' + OUR_MARK + '"');
  }

  /** The rules of {@link Chains#FORWARD}. */
  static List<String> forward(FamilySetting setting) {
    List<String> rules = new ArrayList<>();
    if (setting.dropInvalid()) {
      rules.add(
          "-m conntrack --ctstate INVALID"
              + (setting.countInvalid() ? counted(INVALID_COUNTER) : "")
              + " -j DROP");
    }
    String mark = mark(setting.masqueradeBit());
    rules.add(
        "-m comment --comment \"kubernetes forwarding rules\" -m mark --mark "
            + mark
            + "/"
            + mark
            + " -j ACCEPT");
    rules.add(
        "-m comment --comment \"kubernetes forwarding conntrack rule\" -m conntrack --ctstate"
            + " RELATED,ESTABLISHED -j ACCEPT");
    return rules;
  }

  /** The last rules of {@link Chains#SERVICES} in table nat: what may be for a nodePort. */
  static List<String> toNodePorts(FamilySetting setting) {
    return setting.nodePortDestinations().stream()
        .map(it ->
            "-m comment --comment \""
                + NODE_PORTS_COMMENT
                + "\" "
                + it.match()
                + " -j "
                + it.target())
        .toList();
  }

  /** Whether it is one of the rules that must be the last of their chain. */
  static boolean isLast(RuleForm rule) {
    return rule.comments().equals(NODE_PORTS_COMMENT);
  }

  static String counted(String counter) {
    return " " + COUNTING + " --nfacct-name " + counter;
  }

  /** The probability of a rule that must match {@code cases} times in {@code n}; not always. */
  public static String probability(int cases, int n) {
    String digits = Long.toString(Math.round(1e10 * cases / n));
    return "0." + "0".repeat(DIGITS - digits.length()) + digits;
  }

  /**
   * What matches packets of this node's own pods, or all others; empty if they cannot be
   * distinguished.
   */
  public static String fromPods(LocalDetector detector, boolean others) {
    String not = others ? "! " : "";
    return switch (detector) {
      case LocalDetector.SourceRange(var range) -> not + "-s " + range;
      case LocalDetector.Interface(String name) -> not + "-i " + name;
      case LocalDetector.InterfacePrefix(String prefix) -> not + "-i " + prefix + "+";
      case LocalDetector.Undetected() -> "";
    };
  }
}

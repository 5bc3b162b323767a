package dev.portolan.nftables;

import dev.portolan.netlink.Attributes;
import dev.portolan.nftables.Nftables.RuleInfo;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a rule of any table of nf_tables does, in outline.
 *
 * @param expressions the kernel's names of what it consists of, in order
 * @param translated whether it asks for connections whose destination was changed
 * @param established whether it asks for the state of connections, such as established
 * @param verdict where it sends what it matches, if it is a rule that does
 */
public record RuleOutline(
    String chain,
    List<String> expressions,
    boolean translated,
    boolean established,
    Optional<NftVerdict> verdict) {
  private static final int EXPRESSION_NAME = 1;
  private static final int EXPRESSION_DATA = 2;
  private static final int IMMEDIATE_DATA = 2;
  private static final int DATA_VERDICT = 2;
  private static final int CT_KEY = 2;
  private static final int MATCH_NAME = 1;
  private static final int MATCH_INFO = 3;

  /** Where in the match of iptables the wanted states are, and which bit means DNAT. */
  private static final int CONNTRACK_STATES = 150;

  private static final int CONNTRACK_DNAT = 0x80;

  /** That an answer was seen. */
  private static final int CONNTRACK_ESTABLISHED = 0x2;

  public RuleOutline {
    expressions = List.copyOf(expressions);
  }

  /** The outline of {@code rule}. */
  public static RuleOutline of(RuleInfo rule) {
    List<String> names = new ArrayList<>();
    boolean translated = false;
    boolean established = false;
    Optional<NftVerdict> verdict = Optional.empty();
    for (Attributes.Attribute each : rule.expressions().all()) {
      String name = each.nested().text(EXPRESSION_NAME).orElse("");
      Attributes data = each.nested().nested(EXPRESSION_DATA);
      names.add(name);
      translated |=
          (name.equals("ct") && data.u32(CT_KEY) == Expressions.CT_STATUS)
              || (name.equals("match") && matches(data, CONNTRACK_DNAT));
      established |=
          (name.equals("ct") && data.u32(CT_KEY) == Expressions.CT_STATE)
              || (name.equals("match") && matches(data, CONNTRACK_ESTABLISHED));
      if (name.equals("immediate")) {
        verdict =
            data.nested(IMMEDIATE_DATA)
                .first(DATA_VERDICT)
                .map(found -> NftVerdict.read(found.nested()));
      }
    }
    return new RuleOutline(rule.chain(), names, translated, established, verdict);
  }

  /** Whether it is what iptables-nft writes for {@code -m conntrack --ctstate} with that state. */
  private static boolean matches(Attributes match, int state) {
    byte[] info = match.bytes(MATCH_INFO);
    return match.text(MATCH_NAME).orElse("").equals("conntrack")
        && info.length >= CONNTRACK_STATES + 2
        && (ByteBuffer.wrap(info).order(ByteOrder.nativeOrder()).getShort(CONNTRACK_STATES) & state)
            != 0;
  }
}

package dev.portolan.nftables;

import dev.portolan.netlink.Attributes;
import dev.portolan.netlink.MessageWriter;
import java.util.Locale;

/**
 * Where a packet goes next. {@code chain} is empty except for {@link Code#JUMP} and {@link
 * Code#GOTO}.
 */
public record NftVerdict(Code code, String chain) {
  /** The packet vanishes. */
  public static final NftVerdict DROP = new NftVerdict(Code.DROP, "");

  /** The packet has passed this hook. */
  public static final NftVerdict ACCEPT = new NftVerdict(Code.ACCEPT, "");

  /** On with the next rule, as if nothing had been said. */
  public static final NftVerdict CONTINUE = new NftVerdict(Code.CONTINUE, "");

  /** Back to the chain that called this one. */
  public static final NftVerdict RETURN = new NftVerdict(Code.RETURN, "");

  /** The kinds of verdicts, with the kernel's numbers. */
  public enum Code {
    DROP(0),
    ACCEPT(1),
    CONTINUE(-1),
    JUMP(-3),
    GOTO(-4),
    RETURN(-5);

    private final int number;

    Code(int number) {
      this.number = number;
    }
  }

  /** To a chain, and back after its end. */
  public static NftVerdict jump(String chain) {
    return new NftVerdict(Code.JUMP, chain);
  }

  /** To a chain, without coming back. */
  public static NftVerdict goTo(String chain) {
    return new NftVerdict(Code.GOTO, chain);
  }

  /** The verdict in nft's words. */
  @Override
  public String toString() {
    return code.name().toLowerCase(Locale.ROOT) + (chain.isEmpty() ? "" : " " + chain);
  }

  /** Writes the verdict as data. */
  void write(MessageWriter writer) {
    writer.nest(
        NftConstants.DATA_VERDICT,
        () -> {
          writer.u32(NftConstants.VERDICT_CODE, code.number);
          if (!chain.isEmpty()) {
            writer.text(NftConstants.VERDICT_CHAIN, chain);
          }
        });
  }

  /** Reads a verdict; a number that is not known is taken for RETURN. */
  public static NftVerdict read(Attributes verdict) {
    int number = verdict.u32(NftConstants.VERDICT_CODE);
    for (Code code : Code.values()) {
      if (code.number == number) {
        return new NftVerdict(code, verdict.text(NftConstants.VERDICT_CHAIN).orElse(""));
      }
    }
    return RETURN;
  }
}

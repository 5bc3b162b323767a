package dev.portolan.nftables;

import dev.portolan.netlink.Attributes;
import dev.portolan.netlink.MessageReader.Message;
import java.util.Optional;

/**
 * A base chain of any table, regardless of who made it.
 *
 * @param type what it may do: {@code filter}, {@code nat} or {@code route}
 * @param hook the kernel's number of the place, see {@link Hook.Point}
 * @param drops whether packets are dropped that reach its end
 */
public record BaseChain(
    TableName table, String name, String type, int hook, int priority, boolean drops) {
  private static final int HEADER = 4;

  /** Whether it is called at {@code point}. */
  public boolean isAt(Hook.Point point) {
    return hook == point.number();
  }

  /** Whether the policy of a chain is to drop packets. */
  static boolean drops(Attributes chain) {
    return chain.first(NftConstants.CHAIN_POLICY).isPresent()
        && chain.u32(NftConstants.CHAIN_POLICY) == NftConstants.POLICY_DROP;
  }

  /** Reads a chain; nothing where it is not a base chain. */
  public static Optional<BaseChain> read(Message message) {
    Attributes attributes = message.attributes(HEADER);
    return attributes
        .first(NftConstants.CHAIN_HOOK)
        .map(hook ->
            new BaseChain(
                new TableName(
                    Byte.toUnsignedInt(message.body().get(message.body().position())),
                    attributes.text(NftConstants.CHAIN_TABLE).orElse("")),
                attributes.text(NftConstants.CHAIN_NAME).orElse(""),
                attributes.text(NftConstants.CHAIN_TYPE).orElse(""),
                hook.nested().u32(NftConstants.HOOK_NUMBER),
                hook.nested().u32(NftConstants.HOOK_PRIORITY),
                drops(attributes)));
  }
}

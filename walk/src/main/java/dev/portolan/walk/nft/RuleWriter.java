package dev.portolan.walk.nft;

/** Writes a rule as nft would, as far as that is easy. */
final class RuleWriter {
  private RuleWriter() {}

  static String text(CompiledRule rule) {
    return rule.expressions().toString();
  }
}

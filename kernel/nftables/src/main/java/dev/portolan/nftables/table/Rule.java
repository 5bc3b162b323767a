package dev.portolan.nftables.table;

import dev.portolan.core.net.IpFamily;
import dev.portolan.nftables.Expressions;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A rule: statements one after another, and a comment for a person; empty where it speaks for
 * itself.
 */
public record Rule(List<Statement> statements, String comment) {
  public Rule {
    statements = List.copyOf(statements);
  }

  /** A rule without a comment. */
  public static Rule of(Statement... statements) {
    return new Rule(List.of(statements), "");
  }

  /** The same rule with a comment. */
  public Rule as(String text) {
    return new Rule(statements, text);
  }

  /** The kernel's instructions. */
  Expressions encode(IpFamily family) {
    Expressions expressions = new Expressions();
    statements.forEach(statement -> statement.encode(expressions, family));
    return expressions;
  }

  /** The rule in nft's words. */
  String text(IpFamily family) {
    String words =
        statements.stream()
            .map(statement -> statement.text(family))
            .collect(Collectors.joining(" "));
    return comment.isEmpty() ? words : words + " comment \"" + comment + "\"";
  }
}

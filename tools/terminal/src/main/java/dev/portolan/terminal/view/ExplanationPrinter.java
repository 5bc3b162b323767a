package dev.portolan.terminal.view;

import dev.portolan.core.fate.Explanation;
import dev.portolan.core.node.Verdict;
import dev.portolan.terminal.Paint;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.query.Output;
import dev.portolan.terminal.query.ResultTree;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.function.Consumer;

/** Prints an answer, and each later one that is another. */
public final class ExplanationPrinter implements Consumer<Explained> {
  private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");

  private final Output output;
  private final boolean many;
  private final Terminal terminal;
  private List<Explanation> printed = List.of();

  /** Prints to {@code terminal}; {@code many} says whether more than one answer may come. */
  public ExplanationPrinter(Output output, boolean many, Terminal terminal) {
    this.output = output;
    this.many = many;
    this.terminal = terminal;
  }

  @Override
  public void accept(Explained explained) {
    boolean first = printed.isEmpty();
    if (explained.explanations().equals(printed)) {
      return;
    }
    printed = explained.explanations();
    if (output.isTree()) {
      ResultTree tree = new ResultTree(new ExplanationTree(explained).tree(), List.of());
      if (many) {
        output.printOneOfMany(tree, first, terminal);
      } else {
        output.print(tree, true, terminal);
      }
    } else {
      if (!first) {
        String now = CLOCK.format(LocalTime.now(ZoneId.systemDefault()));
        terminal.print("");
        terminal.print(terminal.paint(Paint.FAINT, "changed at " + now));
        terminal.print("");
      }
      terminal.print(new ExplanationText(explained, terminal).lines());
    }
    if (many) {
      terminal.out().flush();
    }
  }

  /** The worst verdict of the last answer. */
  public Verdict verdict() {
    return Explanation.worst(printed);
  }
}

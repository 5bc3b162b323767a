package dev.portolan.web.http;

import dev.portolan.terminal.CommandFailure;
import dev.portolan.web.answer.Answers;
import dev.portolan.web.answer.Query;
import dev.portolan.web.state.ChartState;
import java.util.Map;

/** Says what it was asked, where a chart with commands would ask those. */
final class Echo implements Answers {
  @Override
  public Map<String, Object> explain(ChartState state, Query query) {
    return said(state, "explain", query.text("target"));
  }

  @Override
  public Map<String, Object> whatIf(ChartState state, Query query) {
    return said(state, "whatif", query.all("drain"));
  }

  @Override
  public Map<String, Object> history(ChartState state, Query query) {
    return said(state, "history", query.text("id"));
  }

  private static Map<String, Object> said(ChartState state, String question, Object about) {
    if (about.equals("wrong")) {
      throw new IllegalArgumentException("this is not a valid question");
    }
    if (about.equals("missing")) {
      throw CommandFailure.missing("there is nothing of that name");
    }
    return Map.of("revision", state.revision(), question, about);
  }
}

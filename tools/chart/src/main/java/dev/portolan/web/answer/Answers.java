package dev.portolan.web.answer;

import dev.portolan.web.state.ChartState;
import dev.portolan.wiring.ChartSubject;

/** Answers that commands give as well: a tree for programs, and a text. */
public interface Answers {
  /** Why connections go where they go. */
  Object explain(ChartState state, Query query);

  /** What an event would do that has not happened. */
  Object whatIf(ChartState state, Query query);

  /** What became of a service, where there is a recording. */
  Object history(ChartState state, Query query);

  /** What gives such answers about a subject. */
  interface Maker {
    /** Answers about {@code subject}, for the nodes that are looked at. */
    Answers about(ChartSubject subject, NodeLooks looks);
  }
}

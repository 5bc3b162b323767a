package dev.portolan.proxy;

import dev.portolan.config.StartPlan;

/** Why a session is over. */
sealed interface Ending {
  /** It was told to stop. */
  record Stopped() implements Ending {}

  /** It is to start again, under another plan. */
  record Restart(StartPlan plan, String why) implements Ending {}

  /** It cannot go on, and should be started again by whoever started it. */
  record Failed(String sentence) implements Ending {}
}

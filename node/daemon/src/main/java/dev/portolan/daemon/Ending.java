package dev.portolan.daemon;

import dev.portolan.config.StartPlan;

/** Why a session is over. */
sealed interface Ending {
  /** It was stopped. */
  record Stopped() implements Ending {}

  /** It is to start again, under another plan. */
  record Restart(StartPlan plan, String why) implements Ending {}

  /** It cannot continue, and its supervisor should restart it. */
  record Failed(String sentence) implements Ending {}
}

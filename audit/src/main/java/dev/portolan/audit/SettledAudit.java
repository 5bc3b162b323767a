package dev.portolan.audit;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * Repeats an audit that found something. The decision and the kernel are read one after the other,
 * and a change may be on its way between them: only what is still there later counts.
 */
public final class SettledAudit {
  private SettledAudit() {}

  /**
   * The result of {@code audit}, with those differences that {@code times} audits in a row found.
   *
   * @param pause how long to wait between them
   */
  public static AuditResult of(Supplier<AuditResult> audit, int times, Duration pause)
      throws InterruptedException {
    AuditResult result = audit.get();
    for (int i = 1; i < times && !result.isClean(); i++) {
      Thread.sleep(pause);
      result = audit.get().alsoIn(result);
    }
    return result;
  }
}

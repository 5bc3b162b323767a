package dev.portolan.audit;

import dev.portolan.testkit.Tampering;

/** A node of the lab whose rules are changed behind the back of the proxy that wrote them. */
interface TamperedNode extends AutoCloseable {
  /** Compares its kernel with what was decided for it. */
  AuditResult audit();

  /** Changes its kernel. */
  void tamper(Tampering tampering);

  /** Puts back what was there before. */
  void restore();

  /** Removes all rules of the node. */
  @Override
  void close();
}

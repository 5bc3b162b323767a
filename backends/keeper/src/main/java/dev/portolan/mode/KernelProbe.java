package dev.portolan.mode;

/** Whether a kernel can do what the rules of a mode need. */
public sealed interface KernelProbe {
  /** It can. */
  record Works(String finding) implements KernelProbe {}

  /** It cannot. */
  record Lacks(String finding, String remedy) implements KernelProbe {}

  /** It cannot do a part, which the mode does without. */
  record LacksPart(String finding, String remedy) implements KernelProbe {}

  /** This process may not ask. */
  record Forbidden() implements KernelProbe {}
}

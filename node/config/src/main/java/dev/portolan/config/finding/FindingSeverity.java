package dev.portolan.config.finding;

/** How bad a finding is. */
public enum FindingSeverity {
  /** The configuration cannot be used. */
  ERROR,
  /** The configuration is probably not what was meant; {@code configHardFail} makes it an error. */
  QUESTIONABLE,
  /** Something to know; the configuration can be used. */
  WARNING
}

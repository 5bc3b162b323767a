package dev.portolan.config;

/** How bad a finding is. */
public enum Severity {
  /** The configuration cannot be used. */
  ERROR,
  /** The configuration is probably not what was meant; {@code configHardFail} makes it an error. */
  QUESTIONABLE,
  /** Something to know; the configuration can be used. */
  WARNING
}

package dev.portolan.config.gates;

/** The system that the proxy runs on. */
public enum Platform {
  LINUX,
  WINDOWS
}

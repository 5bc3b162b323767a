package dev.portolan.config;

/** The system that the proxy runs on. */
public enum Platform {
  LINUX,
  WINDOWS
}

package dev.portolan.config.gates;

/** The system that the proxy runs on. */
public enum Platform {
  LINUX,
  WINDOWS;

  /** The one that this process runs on; whatever is not Windows counts as Linux. */
  public static Platform current() {
    return System.getProperty("os.name", "").startsWith("Windows") ? WINDOWS : LINUX;
  }
}

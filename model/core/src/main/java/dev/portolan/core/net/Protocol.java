package dev.portolan.core.net;

import java.util.Locale;

/** The transport protocols that a service port may speak. */
public enum Protocol {
  TCP,
  UDP,
  SCTP;

  /** The protocol in small letters, as addresses carry it: {@code 10.96.0.10:53/udp}. */
  public String lower() {
    return name().toLowerCase(Locale.ROOT);
  }
}

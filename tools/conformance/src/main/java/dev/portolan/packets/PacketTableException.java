package dev.portolan.packets;

/** Says that a packet table is not written as one, with the file and the line. */
public final class PacketTableException extends RuntimeException {
  private static final long serialVersionUID = 1;

  PacketTableException(String file, int line, String message) {
    super(file + ":" + line + ": " + message);
  }
}

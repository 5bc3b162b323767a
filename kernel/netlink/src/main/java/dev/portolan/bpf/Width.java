package dev.portolan.bpf;

/** How many bytes an access to memory has. */
public enum Width {
  WORD(0x00, 4),
  HALF(0x08, 2),
  BYTE(0x10, 1),
  DOUBLE(0x18, 8);

  private final int code;
  private final int bytes;

  Width(int code, int bytes) {
    this.code = code;
    this.bytes = bytes;
  }

  int code() {
    return code;
  }

  /** Its size. */
  public int bytes() {
    return bytes;
  }

  /** The width in an instruction. */
  static Width in(int opcode) {
    for (Width width : values()) {
      if (width.code == (opcode & 0x18)) {
        return width;
      }
    }
    throw new IllegalStateException("no width in " + opcode);
  }

  /** {@code u32} and so on, as the kernel writes it. */
  @Override
  public String toString() {
    return "u" + bytes * 8;
  }
}

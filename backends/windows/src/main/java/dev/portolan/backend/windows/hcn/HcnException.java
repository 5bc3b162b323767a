package dev.portolan.backend.windows.hcn;

/** HNS refused a call, or could not be reached. */
public final class HcnException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final HcnFailure failure;

  /**
   * With what HNS answered.
   *
   * @param function the function of HCN that was called
   * @param result the HRESULT
   * @param answer what HNS wrote about it; empty where it wrote nothing
   */
  public HcnException(String function, int result, String answer) {
    super(
        "%s failed with 0x%x%s"
            .formatted(
                function, HcnFailure.code(result), answer.isEmpty() ? "" : ": " + answer.strip()));
    this.failure = HcnFailure.of(result);
  }

  /** An answer that cannot be read. */
  HcnException(String message, Throwable cause) {
    super(message, cause);
    this.failure = HcnFailure.OTHER;
  }

  /** Why it failed. */
  public HcnFailure failure() {
    return failure;
  }
}

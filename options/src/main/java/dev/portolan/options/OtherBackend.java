package dev.portolan.options;

import dev.portolan.terminal.CommandFailure;

/** Options that mean something for another backend than the one that was chosen. */
public final class OtherBackend {
  private OtherBackend() {}

  /** Says that {@code option} has no meaning for {@code backend}, where it was given. */
  public static void refuse(String option, boolean given, String owner, String backend) {
    if (given && !owner.equals(backend)) {
      throw CommandFailure.usage(
          option + " is for --backend " + owner + ", but the backend is " + backend);
    }
  }
}

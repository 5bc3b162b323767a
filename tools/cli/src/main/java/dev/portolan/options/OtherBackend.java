package dev.portolan.options;

import dev.portolan.terminal.Choice;
import dev.portolan.terminal.CommandFailure;
import java.util.List;

/** Options that mean something for another backend than the one that was chosen. */
public final class OtherBackend {
  private OtherBackend() {}

  /** Says that {@code option} has no meaning for {@code backend}, where it was given. */
  public static void refuse(String option, boolean given, String owner, String backend) {
    refuse(option, given, List.of(owner), backend);
  }

  /** The same for an option that several backends know. */
  public static void refuse(String option, boolean given, List<String> owners, String backend) {
    if (given && !owners.contains(backend)) {
      throw CommandFailure.usage(
          option + " is for --backend " + Choice.or(owners) + ", but the backend is " + backend);
    }
  }
}

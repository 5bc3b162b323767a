package dev.portolan.backend.iptables;

import dev.portolan.core.backend.BackendException;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.net.IpFamily;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Says what iptables-restore did not like: the line, whose it is, and the program's own words. */
final class Rejection {
  private static final Pattern LINE = Pattern.compile("\\bline:? (\\d{1,9})\\b");

  /** The exit status if another program holds the lock for too long. */
  private static final int RESOURCE_PROBLEM = 4;

  private Rejection() {}

  static BackendException of(
      IpFamily family, Restore restore, IptablesPrograms programs, IptablesProgram.Result result) {
    String start = "iptables (" + family + "): " + programs.restore().path();
    String words = result.words();
    if (result.status() == RESOURCE_PROBLEM && words.contains("xtables lock")) {
      return new BackendException(
          start
              + " waited "
              + programs.lockSeconds()
              + " s for the lock of another program that changes rules, and gave up: "
              + words);
    }
    OptionalInt number = number(result);
    if (number.isEmpty()) {
      return new BackendException(
          ErrorCode.RULES_REJECTED,
          start + " failed: " + words + "; the previous rules stay in place");
    }
    Optional<RestoreWriter.Line> line = line(restore, programs, result);
    return new BackendException(
        ErrorCode.RULES_REJECTED,
        start
            + " rejected line "
            + number.getAsInt()
            + line.map(it -> ", " + describe(it)).orElse("")
            + ": "
            + words
            + (line.filter(it -> it.part() > 0).isPresent()
                ? "; services in earlier parts have their new rules, all others their previous ones"
                : "; that table keeps its previous rules"));
  }

  private static String describe(RestoreWriter.Line line) {
    if (line.isCommit()) {
      return "the end of table " + line.table() + ", because the kernel rejected the whole table";
    }
    return "'"
        + line.text()
        + "' in table "
        + line.table()
        + (line.service().isEmpty() ? "" : " for " + line.service());
  }

  /** The line that was rejected, found by writing everything once more. */
  static Optional<RestoreWriter.Line> line(
      Restore restore, IptablesPrograms programs, IptablesProgram.Result result) {
    OptionalInt number = number(result);
    if (number.isEmpty()) {
      return Optional.empty();
    }
    RestoreWriter again = programs.writerLookingFor(number.getAsInt());
    restore.write(again);
    return Optional.ofNullable(again.found());
  }

  /** The number of the line that was rejected. */
  static OptionalInt number(IptablesProgram.Result result) {
    Matcher matcher = LINE.matcher(result.complaint());
    return matcher.find()
        ? OptionalInt.of(Integer.parseInt(matcher.group(1)))
        : OptionalInt.empty();
  }
}

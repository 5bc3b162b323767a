package dev.portolan.options;

import dev.portolan.config.file.ConfigFile;
import dev.portolan.config.finding.ConfigException;
import dev.portolan.config.finding.Finding;
import dev.portolan.config.finding.FindingSeverity;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.text.Counted;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import java.util.List;
import java.util.function.Supplier;

/** Prints the findings in a configuration file, one per line. */
public final class ConfigFindings {
  private final Terminal terminal;
  private final Remarks remarks;

  /** Prints to {@code terminal}. */
  public ConfigFindings(Terminal terminal) {
    this.terminal = terminal;
    this.remarks = new Remarks(terminal);
  }

  /** Reads a file; where that is not possible all errors are printed before it fails. */
  public ConfigFile read(String name, String text) {
    return read(() -> ConfigFile.read(name, text), name);
  }

  /** Reads as much of a file as can be read; fails only if it is not a configuration at all. */
  public ConfigFile scan(String name, String text) {
    return read(() -> ConfigFile.scan(name, text), name);
  }

  private ConfigFile read(Supplier<ConfigFile> reading, String name) {
    try {
      return reading.get();
    } catch (ConfigException e) {
      print(e.errors());
      throw CommandFailure.input(
          ErrorCode.CONFIGURATION,
          Text.printable(name) + ": cannot be read as a configuration, " + count(e.errors()));
    }
  }

  /** Prints errors and warnings. */
  public void print(List<Finding> findings) {
    for (Finding finding : findings) {
      if (finding.severity() == FindingSeverity.ERROR) {
        terminal.remark("error: " + Text.printable(finding.toString()));
      } else {
        remarks.warn(finding.toString());
      }
    }
  }

  /** How many errors there are, in words. */
  public static String count(List<Finding> errors) {
    return Counted.of(errors.size(), "error");
  }
}

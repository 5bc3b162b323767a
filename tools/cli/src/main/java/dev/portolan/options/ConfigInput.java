package dev.portolan.options;

import dev.portolan.config.file.ConfigText;
import dev.portolan.config.finding.ConfigException;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Text;
import picocli.CommandLine.Parameters;

/** The configuration file that a command reads. */
public final class ConfigInput {
  @Parameters(paramLabel = "FILE", description = "The configuration file; - is standard input.")
  private String file = "";

  /** The file that an option names. */
  public static ConfigInput of(String file) {
    ConfigInput input = new ConfigInput();
    input.file = file;
    return input;
  }

  /** What messages call the file. */
  public String name() {
    return ConfigText.name(file);
  }

  /** All that is in the file. */
  public String text() {
    try {
      return ConfigText.read(file);
    } catch (ConfigException e) {
      throw CommandFailure.input(ErrorCode.of(e), Text.printable(String.valueOf(e.getMessage())));
    }
  }
}

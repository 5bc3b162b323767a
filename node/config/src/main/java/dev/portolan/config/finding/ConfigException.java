package dev.portolan.config.finding;

import dev.portolan.core.error.Coded;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.text.FilePosition;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A configuration that cannot be used; the message has one line for each error. */
public final class ConfigException extends RuntimeException implements Coded {
  private static final long serialVersionUID = 1;

  private final transient List<Finding> errors;

  public ConfigException(List<Finding> errors) {
    super(errors.stream().map(Finding::toString).collect(Collectors.joining("\n")));
    this.errors = List.copyOf(errors);
  }

  /** An exception for one error. */
  public static ConfigException of(String path, String text) {
    return new ConfigException(List.of(Finding.of(FindingSeverity.ERROR, path, text)));
  }

  /** An exception for one error in a file, at a place or in the whole of it. */
  public static ConfigException in(
      String file, @Nullable FilePosition place, String path, String text) {
    return new ConfigException(
        List.of(new Finding(FindingSeverity.ERROR, file, place, path, text)));
  }

  /** The errors, in the order of the text. */
  public List<Finding> errors() {
    return errors;
  }

  @Override
  public ErrorCode code() {
    return ErrorCode.CONFIGURATION;
  }
}

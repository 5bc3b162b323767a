package dev.portolan.cli;

import dev.portolan.api.transport.Address;
import dev.portolan.api.transport.TlsException;
import dev.portolan.api.transport.TlsFiles;
import dev.portolan.client.Connection;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which brain is asked. */
final class ApiOptions {
  /** Where a brain listens if nobody says otherwise. */
  static final String USUAL = "unix:///run/portolan/api.sock";

  @Option(
      names = "--api",
      paramLabel = "ADDRESS",
      description = {
        "The brain to ask, as in",
        "unix:///run/portolan/api.sock or tcp://brain:10260.",
        "The first of these is where 'portolan brain' listens",
        "by default."
      })
  private String api = "";

  /** Whether a brain was named; both it and a source make no sense. */
  boolean isGiven(SourceOptions source) {
    if (!api.isEmpty() && source.isGiven()) {
      throw CommandFailure.usage(
          "--api and --from are mutually exclusive: a brain has already read its cluster; use only"
              + " one");
    }
    return !api.isEmpty();
  }

  /** Where the brain is; the usual place where none was named. */
  Address address() {
    return address("--api", api.isEmpty() ? USUAL : api);
  }

  /** The way to the brain, which is taken when it is first needed. */
  Connection connect(TlsOptions tls, Remarks remarks) {
    return connect(address(), tls.files(), remarks);
  }

  /** Reads an address; {@code option} is named if it is none. */
  static Address address(String option, String text) {
    try {
      Address address = Address.parse(text);
      if (address instanceof Address.InProcess) {
        throw new IllegalArgumentException(
            "'" + text + "' only works inside one process; write unix:///path or tcp://host:port");
      }
      return address;
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage(option + ": " + Text.printable(String.valueOf(e.getMessage())));
    }
  }

  /** The way to a brain. */
  static Connection connect(Address address, Optional<TlsFiles> tls, Remarks remarks) {
    if (address instanceof Address.Tcp(String host, int port) && (host.isEmpty() || port == 0)) {
      throw CommandFailure.usage(
          "'" + address + "' has no " + (port == 0 ? "port" : "host") + "; write tcp://host:port");
    }
    if (tls.isPresent() && !(address instanceof Address.Tcp)) {
      throw CommandFailure.usage(
          "--tls-key, --tls-crt and --tls-ca are for tcp:// addresses; remove them for " + address);
    }
    try {
      return Connection.open(address, tls, Connection.Options.DEFAULT.log(remarks::warn));
    } catch (TlsException e) {
      throw CommandFailure.input(Text.printable(String.valueOf(e.getMessage())));
    }
  }

  /** The brain as it was written. */
  @Override
  public String toString() {
    return Text.printable(address().toString());
  }
}

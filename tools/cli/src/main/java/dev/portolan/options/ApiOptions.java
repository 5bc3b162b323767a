package dev.portolan.options;

import dev.portolan.api.transport.Address;
import dev.portolan.client.Connection;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.terminal.Choice;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Text;
import dev.portolan.tls.TlsException;
import dev.portolan.tls.TlsFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which server is asked: a brain, or the daemon of a node. */
public final class ApiOptions {
  /** An explanation of a large service on many nodes is one message. */
  private static final int LARGEST_ANSWER = 256 << 20;

  /** Where a brain listens by default. */
  static final String BRAIN = "unix:///run/portolan/api.sock";

  /** Where the daemon of a node listens if it is started by our manifests. */
  static final String DAEMON = "unix:///run/portolan/node.sock";

  /** Tests put the daemon's socket elsewhere. */
  private final String daemon = System.getProperty("portolan.daemon.socket", DAEMON);

  /** Where this node's daemon listens. */
  public static Address daemon() {
    return address("--api", new ApiOptions().daemon);
  }

  @Option(
      names = "--api",
      paramLabel = "ADDRESS",
      description =
          "The server to ask, as in tcp://brain:10260 or unix:///run/portolan/api.sock, the default"
              + " of 'portolan brain'. Unset: this node's daemon, if unix:///run/portolan/node.sock"
              + " exists.")
  private String api = "";

  /** Whether a server was named. */
  public boolean isNamed() {
    return !api.isEmpty();
  }

  /** Whether a server was named; both it and a source make no sense. */
  public boolean isGiven(SourceOptions source) {
    if (!api.isEmpty() && source.isGiven()) {
      throw CommandFailure.usage(
          "--api and --from are mutually exclusive: a brain has already read its cluster; use only"
              + " one");
    }
    return !api.isEmpty();
  }

  /** Whether a server is asked: one was named, or nothing was and this node's daemon is there. */
  public boolean isAsked(SourceOptions source) {
    if (isGiven(source) || source.isGiven()) {
      return !source.isGiven();
    }
    if (!isDaemonThere()) {
      throw CommandFailure.usage(
          source.missing()
              + "; or name a server with --api: this node's daemon would be asked, but it does not"
              + " listen on "
              + daemon);
    }
    return true;
  }

  /** Where the server is; if none was named, this node's daemon if it is there, else the brain. */
  Address address() {
    return address("--api", !api.isEmpty() ? api : isDaemonThere() ? daemon : BRAIN);
  }

  /** Whether this node's daemon listens where it does by default. */
  public boolean isDaemonThere() {
    return address("--api", daemon) instanceof Address.Unix(Path socket) && Files.exists(socket);
  }

  /** The way to the brain, which is taken when it is first needed. */
  public Connection connect(TlsOptions tls, Remarks remarks) {
    return connect(address(), tls.files(), remarks);
  }

  /** The ways to all servers behind the name, each of which knows the nodes that it feeds. */
  public List<Connection> connectEach(TlsOptions tls, Remarks remarks) {
    Address address = address();
    return open(
        address, tls.files(), () -> Connection.openEach(address, tls.files(), options(remarks)));
  }

  /** Reads an address; {@code option} is named if it is none. */
  public static Address address(String option, String text) {
    Address address = Choice.read(option, () -> Address.parse(text));
    if (address instanceof Address.InProcess) {
      throw CommandFailure.usage(
          "%s: '%s' only works inside one process; write unix:///path or tcp://host:port"
              .formatted(option, Text.printable(text)));
    }
    return address;
  }

  /** The way to a brain. */
  static Connection connect(Address address, Optional<TlsFiles> tls, Remarks remarks) {
    return open(address, tls, () -> Connection.open(address, tls, options(remarks)));
  }

  private static Connection.Options options(Remarks remarks) {
    return Connection.Options.DEFAULT.mostMessageBytes(LARGEST_ANSWER).log(remarks::warn);
  }

  /** What opens a connection, or several. */
  private interface Opening<T> {
    T open() throws TlsException;
  }

  private static <T> T open(Address address, Optional<TlsFiles> tls, Opening<T> opening) {
    if (address instanceof Address.Tcp(String host, int port) && (host.isEmpty() || port == 0)) {
      throw CommandFailure.usage(
          "'" + address + "' has no " + (port == 0 ? "port" : "host") + "; write tcp://host:port");
    }
    if (tls.isPresent() && !(address instanceof Address.Tcp)) {
      throw CommandFailure.usage(
          "--tls-key, --tls-crt and --tls-ca are for tcp:// addresses; remove them for " + address);
    }
    try {
      return opening.open();
    } catch (TlsException e) {
      throw CommandFailure.input(ErrorCode.of(e), Text.printable(String.valueOf(e.getMessage())));
    }
  }

  /** The server as it was written. */
  @Override
  public String toString() {
    return Text.printable(address().toString());
  }
}

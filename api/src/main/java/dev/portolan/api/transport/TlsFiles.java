package dev.portolan.api.transport;

import io.grpc.ChannelCredentials;
import io.grpc.ServerCredentials;
import io.grpc.TlsChannelCredentials;
import io.grpc.TlsServerCredentials;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * The files, in PEM, to authenticate this side and to verify the other.
 *
 * <p>They are read again when they change, and a new certificate counts for new connections. What
 * cannot be read then leaves the last good state in place.
 *
 * @param key the private key
 * @param certificate its certificate, and those that lead to the authority
 * @param ca the authorities whose signature the other side must have
 */
public record TlsFiles(Path key, Path certificate, Path ca) {
  /**
   * For a server that lets in only clients with a certificate of the authority.
   *
   * @param log receives what is wrong with files that changed
   * @throws TlsException where a file is missing or unfit now
   */
  public ServerCredentials server(Consumer<String> log) throws TlsException {
    TlsMaterial material = TlsMaterial.load(this, log);
    return TlsServerCredentials.newBuilder()
        .keyManager(material.keyManager())
        .trustManager(material.trustManager())
        .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE)
        .build();
  }

  /**
   * For a client that believes only a server with a certificate of the authority.
   *
   * @param log receives what is wrong with files that changed
   * @throws TlsException where a file is missing or unfit now
   */
  public ChannelCredentials client(Consumer<String> log) throws TlsException {
    TlsMaterial material = TlsMaterial.load(this, log);
    return TlsChannelCredentials.newBuilder()
        .keyManager(material.keyManager())
        .trustManager(material.trustManager())
        .build();
  }
}

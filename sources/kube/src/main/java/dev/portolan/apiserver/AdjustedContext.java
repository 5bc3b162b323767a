package dev.portolan.apiserver;

import java.security.SecureRandom;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Connects with parameters that Java's HTTP client would not pass on.
 *
 * <p>The client always names the host of the address to the server, and knows nothing of key
 * exchanges.
 */
final class AdjustedContext extends SSLContext {
  /**
   * Connects as {@code context} does.
   *
   * @param name the name that the server's certificate must have, in place of the host's
   * @param adjustment changes the parameters of each connection
   */
  AdjustedContext(SSLContext context, Optional<String> name, Consumer<SSLParameters> adjustment) {
    super(new Spi(context, name, adjustment), context.getProvider(), context.getProtocol());
  }

  private static final class Spi extends SSLContextSpi {
    private final SSLContext context;
    private final Optional<String> name;
    private final Consumer<SSLParameters> adjustment;

    Spi(SSLContext context, Optional<String> name, Consumer<SSLParameters> adjustment) {
      this.context = context;
      this.name = name;
      this.adjustment = adjustment;
    }

    @Override
    protected SSLEngine engineCreateSSLEngine(String host, int port) {
      String named = name.orElse(host);
      return new AdjustedEngine(context.createSSLEngine(named, port), named, port, adjustment);
    }

    @Override
    protected SSLEngine engineCreateSSLEngine() {
      throw new UnsupportedOperationException("the HTTP client names the host");
    }

    @Override
    protected SSLParameters engineGetDefaultSSLParameters() {
      // The context itself would make a socket to find out; an engine is made anyway.
      SSLEngine engine = context.createSSLEngine();
      engine.setUseClientMode(true);
      return engine.getSSLParameters();
    }

    @Override
    protected SSLParameters engineGetSupportedSSLParameters() {
      return context.getSupportedSSLParameters();
    }

    @Override
    protected SSLSessionContext engineGetClientSessionContext() {
      return context.getClientSessionContext();
    }

    @Override
    protected SSLSessionContext engineGetServerSessionContext() {
      return context.getServerSessionContext();
    }

    @Override
    protected void engineInit(
        KeyManager @Nullable [] keys,
        TrustManager @Nullable [] trust,
        @Nullable SecureRandom random) {
      throw new UnsupportedOperationException("already initialised");
    }

    @Override
    protected SSLSocketFactory engineGetSocketFactory() {
      throw new UnsupportedOperationException("the HTTP client does not use sockets");
    }

    @Override
    protected SSLServerSocketFactory engineGetServerSocketFactory() {
      throw new UnsupportedOperationException("the HTTP client does not use sockets");
    }
  }
}

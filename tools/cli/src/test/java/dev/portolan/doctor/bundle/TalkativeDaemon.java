package dev.portolan.doctor.bundle;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/**
 * A program that looks like a daemon, and tells on every page, in its log and in its command line
 * what it should not.
 */
final class TalkativeDaemon {
  private TalkativeDaemon() {}

  /** Serves until it is killed; the first argument is the secret. */
  public static void main(String[] arguments) throws Exception {
    String secret = arguments[arguments.length - 1];
    System.err.println("I1116 request token=" + secret);
    for (int port : new int[] {10249, 10256}) {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
      server.createContext(
          "/",
          exchange -> {
            byte[] page =
                ("{\"page\": \""
                        + exchange.getRequestURI().getPath()
                        + "\", \"password\": \""
                        + secret
                        + "\", \"header\": \"Bearer "
                        + secret
                        + "\"}")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
          });
      server.start();
    }
    System.out.println("ready");
  }
}

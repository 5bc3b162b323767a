package dev.portolan.packets;

import dev.portolan.core.net.Ip;
import dev.portolan.lab.Actor;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How tables name endpoints: {@code pod-a1} for its port 8080, {@code pod-a1:9090} for another. */
public final class Endpoints {
  private static final int USUAL_PORT = 8080;
  private static final Pattern NAME = Pattern.compile("([a-z0-9-]+)(?::([1-9][0-9]{0,4}))?");

  private Endpoints() {}

  /** The name of an endpoint, from the server that answers there. */
  public static String name(String actor, int port) {
    return port == USUAL_PORT ? actor : actor + ":" + port;
  }

  /** The name of an endpoint by its address. */
  public static String name(Ip address, int port) {
    return Actor.at(address)
        .map(actor -> name(actor.toString(), port))
        .orElseGet(() -> address.withPort(port));
  }

  /** Whether {@code name} is the name of a pod's port. */
  static boolean isName(String name) {
    Matcher matcher = NAME.matcher(name);
    return matcher.matches()
        && Actor.labelled(matcher.group(1)).filter(Actor.PODS::contains).isPresent()
        && !name.endsWith(":" + USUAL_PORT);
  }
}

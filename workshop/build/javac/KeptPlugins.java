import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Loads the plugins of javac once for all modules, and not again for each: so the JVM has compiled
 * Error Prone itself after the first few. javac makes one of these for each compilation, because of
 * its option procloader.
 */
public final class KeptPlugins extends ClassLoader {
  private static final Map<String, ClassLoader> KEPT = new ConcurrentHashMap<>();

  /** Called by javac. */
  public KeptPlugins(URL[] path, ClassLoader parent) {
    super(KEPT.computeIfAbsent(Arrays.toString(path), _ -> new URLClassLoader(path, parent)));
  }
}

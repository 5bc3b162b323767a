package dev.portolan.testbase;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Certificates for tests, made by the JDK's own tool and the same for all tests: an authority, and
 * a stranger to it; servers and clients that the authority signed.
 */
public final class Certificates {
  private static final char[] PASSWORD = "portolan".toCharArray();
  private static final String KEYTOOL_PACKAGE = "sun.security.tools.keytool";

  private final KeyStore store;

  private Certificates(KeyStore store) {
    this.store = store;
  }

  /** Made when first asked for. */
  private static final class Once {
    private static final Certificates MADE = make();
  }

  /** Makes them when first asked. */
  public static Certificates made() {
    return Once.MADE;
  }

  private static Certificates make() {
    try {
      Path folder = Files.createTempDirectory("portolan-certificates");
      Path file = folder.resolve("store.p12");
      try {
        runMain(file);
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
          store.load(in, PASSWORD);
        }
        return new Certificates(store);
      } finally {
        Files.deleteIfExists(file);
        Files.deleteIfExists(folder);
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Starts a JVM for all of them, which may call the tool: one for each would take seconds. */
  private static void runMain(Path store) {
    String _ =
        OwnJvm.run(
                List.of(
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "--add-exports=java.base/" + KEYTOOL_PACKAGE + "=ALL-UNNAMED"),
                Certificates.class,
                store.toString())
            .orThrow();
  }

  /** Makes the key store that is named. */
  public static void main(String[] args) throws Exception {
    keytool(args[0], "authority", "-keyalg EC -dname CN=authority -ext bc:c");
    keytool(args[0], "stranger", "-keyalg EC -dname CN=stranger -ext bc:c");
    String signed = " -signer authority";
    String local = " -ext san=ip:127.0.0.1,dns:localhost" + signed;
    keytool(args[0], "server", "-keyalg EC -dname CN=server" + local);
    keytool(
        args[0],
        "brain",
        "-keyalg EC -dname CN=portolan-brain -ext san=dns:portolan-brain" + signed);
    keytool(args[0], "expired", "-keyalg EC -dname CN=expired -startdate -3d -validity 1" + local);
    keytool(args[0], "weak", "-keyalg EC -dname CN=weak -sigalg SHA1withECDSA" + local);
    keytool(args[0], "short", "-keyalg RSA -keysize 1000 -dname CN=short" + local);
    keytool(args[0], "elsewhere", "-keyalg EC -dname CN=x -ext san=dns:api.example" + signed);
    keytool(args[0], "client", "-keyalg RSA -keysize 2048 -dname CN=alice" + signed);
    keytool(args[0], "node", "-keyalg EC -dname CN=system:node:n1" + signed);
    keytool(args[0], "administrator", "-keyalg EC -dname CN=overseer" + signed);
    keytool(args[0], "client-ec", "-keyalg EC -groupname secp256r1 -dname CN=bob" + signed);
  }

  private static void keytool(String store, String alias, String options) throws Exception {
    List<String> words = new ArrayList<>();
    words.addAll(List.of("-genkeypair", "-alias", alias, "-keystore", store));
    words.addAll(List.of("-storepass", new String(PASSWORD), "-storetype", "PKCS12"));
    words.addAll(Arrays.asList(options.split(" ", -1)));
    Class.forName(KEYTOOL_PACKAGE + ".Main")
        .getMethod("main", String[].class)
        .invoke(null, (Object) words.toArray(String[]::new));
  }

  /** The certificate of {@code alias}, alone. */
  public byte[] certificate(String alias) throws Exception {
    return pem("CERTIFICATE", store.getCertificate(alias).getEncoded());
  }

  /** When the certificate of {@code alias} expires. */
  public Date end(String alias) throws Exception {
    return ((X509Certificate) store.getCertificate(alias)).getNotAfter();
  }

  /** The key of {@code alias} in PKCS#8. */
  public byte[] key(String alias) throws Exception {
    return pem("PRIVATE KEY", pkcs8(alias));
  }

  /** The key of {@code alias} in PKCS#8, without letters. */
  public byte[] pkcs8(String alias) throws Exception {
    return store.getKey(alias, PASSWORD).getEncoded();
  }

  /** What a server needs to be {@code alias}, and to know clients of the authority. */
  public SSLContext server(String alias) throws Exception {
    KeyStore own = KeyStore.getInstance("PKCS12");
    own.load(null, null);
    Certificate[] chain = {store.getCertificate(alias)};
    own.setKeyEntry("own", store.getKey(alias, PASSWORD), PASSWORD, chain);
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(own, PASSWORD);
    KeyStore authority = KeyStore.getInstance("PKCS12");
    authority.load(null, null);
    authority.setCertificateEntry("authority", store.getCertificate("authority"));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(authority);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  /** {@code der} in letters. */
  public static byte[] pem(String label, byte[] der) {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return ("-----BEGIN " + label + "-----\n" + text + "\n-----END " + label + "-----\n")
        .getBytes(US_ASCII);
  }
}

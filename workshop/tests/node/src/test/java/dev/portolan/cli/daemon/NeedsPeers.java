package dev.portolan.cli.daemon;

import dev.portolan.testbase.NeedsKernel;
import dev.portolan.testkit.peers.NeedsBuilt;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that runs the real program against a real API server, in a network namespace: it needs
 * what {@code ./dev peers} builds. Where that is missing it is skipped with a loud word.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@NeedsKernel(tools = {"ip", "nft"})
@NeedsBuilt({"etcd", "kube-apiserver"})
@ExtendWith(PeersCondition.class)
public @interface NeedsPeers {
  /** The programs that the test needs beside the API server and its etcd. */
  String[] tools() default {};
}

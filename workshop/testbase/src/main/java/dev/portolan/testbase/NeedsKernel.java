package dev.portolan.testbase;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that works on a real kernel, in network namespaces of its own: it needs root and some
 * programs. Where these are missing it is skipped with a loud word; with CI=true it fails.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(KernelCondition.class)
public @interface NeedsKernel {
  /** The programs that the test runs. */
  String[] tools() default {"ip"};
}

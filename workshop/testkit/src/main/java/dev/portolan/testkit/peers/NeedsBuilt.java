package dev.portolan.testkit.peers;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test with programs that {@code ./dev peers} builds. Where one is missing, the test is skipped
 * with a loud message.
 */
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(BuiltCondition.class)
public @interface NeedsBuilt {
  /** Their names, without versions. */
  String[] value();
}

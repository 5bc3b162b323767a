package dev.portolan.testkit.windows;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that runs on Windows alone, with the Host Network Service of {@link HnsJournal}: {@code
 * ./dev test} runs all of these under Wine, in one process, after those that Maven runs. Anywhere
 * else it is skipped with a loud message.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Tag("windows")
@ExtendWith(WindowsCondition.class)
public @interface NeedsWindows {}

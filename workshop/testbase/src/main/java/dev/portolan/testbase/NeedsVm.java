package dev.portolan.testbase;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that needs the kernel of the virtual machine, as one with IPVS does: {@code ./dev test}
 * runs all of these there, as root, in one process, after those that Maven runs. Anywhere else it
 * is skipped with a loud word.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Tag("vm")
@ExtendWith(VmCondition.class)
public @interface NeedsVm {}

package dev.portolan.netlink.lab;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * A test that is worth its time on a second kernel: {@code ./dev test} runs it on this machine's,
 * and on the older one of the virtual machine, as those with {@link NeedsVm}.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Tag("also-in-vm")
public @interface AlsoInVm {}

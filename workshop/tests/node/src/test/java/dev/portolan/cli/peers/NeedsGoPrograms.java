package dev.portolan.cli.peers;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test with the programs in Go that {@code ./dev peers} builds. Where they are missing, or are of
 * other sources, it is skipped with a loud word.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(GoProgramsCondition.class)
@interface NeedsGoPrograms {}

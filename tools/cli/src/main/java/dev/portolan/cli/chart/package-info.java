/** {@code portolan chart}, and what a chart answers with the code of commands. */
@NullMarked
package dev.portolan.cli.chart;

import org.jspecify.annotations.NullMarked;

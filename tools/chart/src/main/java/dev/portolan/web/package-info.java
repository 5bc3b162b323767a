/**
 * The command that opens the chart, and the options of processes that serve it beside their work.
 */
@NullMarked
package dev.portolan.web;

import org.jspecify.annotations.NullMarked;

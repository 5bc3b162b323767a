/** The daemon's pages for operators: metrics, configuration, status, profiles. */
@NullMarked
package dev.portolan.daemon.pages;

import org.jspecify.annotations.NullMarked;

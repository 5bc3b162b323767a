/** The daemon's pages for operators: metrics, configuration, status, profiles. */
@NullMarked
package dev.portolan.status.pages;

import org.jspecify.annotations.NullMarked;

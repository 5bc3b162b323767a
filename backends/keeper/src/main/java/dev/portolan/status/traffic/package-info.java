/**
 * The traffic of services: counts of a backend added up, and shown as metrics whose number is
 * bounded.
 */
@NullMarked
package dev.portolan.status.traffic;

import org.jspecify.annotations.NullMarked;

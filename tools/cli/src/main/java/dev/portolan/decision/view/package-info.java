/** What the API says, as people and programs see it. */
@NullMarked
package dev.portolan.decision.view;

import org.jspecify.annotations.NullMarked;

/**
 * What the chart answers to each question of the page, as trees for JSON. What a command prints, it
 * answers with the code of that command.
 */
@NullMarked
package dev.portolan.web.answer;

import org.jspecify.annotations.NullMarked;

/** Tests of the chart's page in Chromium, as people use it: by mouse, keyboard, phone. */
@org.jspecify.annotations.NullMarked
package dev.portolan.web.browser;

package dev.portolan.config.fields;

/** The verbosity of the source files whose names match a pattern. */
public record VmoduleItem(String filePattern, long verbosity) {}

package dev.portolan.source.record;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Why a file cannot be used, in words that do not repeat its name. */
final class FileTrouble {
  private FileTrouble() {}

  static String of(IOException failure) {
    return switch (failure) {
      case AccessDeniedException _ -> "permission denied";
      case NoSuchFileException _ -> "it does not exist";
      case NotDirectoryException _ -> "it is not a folder";
      case FileSystemException e when e.getReason() != null -> e.getReason();
      default -> String.valueOf(failure.getMessage());
    };
  }
}

# shellcheck shell=bash
# shellcheck disable=SC2154 # lib.sh sets root and jdk
# What is installed: the installation tree and what is made of it.

packaging_classes=$root/workshop/packaging/target/launcher/portolan-packaging.jar:$root/workshop/training/target/launcher/portolan-training.jar

# Builds the program, and the tool that packs it.
build_packaging() {
  needs strip binutils
  # Jars of another version would stay beside those of this one.
  rm -rf "$app/lib"
  watched maven_build -B -P launcher -pl :portolan-packaging -am package
}

# packaging THING [OPTION...]: makes one thing of what was built.
packaging() {
  "$jdk/bin/java" -cp "$packaging_classes" dev.portolan.packaging.Packaging "$root" "$@" || exit
}

# The installation tree, in workshop/packaging/target/tree.
build_tree() {
  build_packaging
  packaging tree
}

# build_image [--zstd]: the images, in dist.
build_image() {
  needs dpkg-query dpkg
  needs zstd zstd
  needs iptables-nft iptables
  build_tree
  packaging image "$@"
}

# say_dist PATTERN...: says which files dist has, and how large they are.
say_dist() {
  local pattern file
  for pattern in "$@"; do
    while IFS= read -r file; do
      say "dist/${file##*/}, $(($(stat -c %s "$file") / 1000)) kB"
    done < <(find "$root/dist" -maxdepth 1 -type f -name "$pattern" | LC_ALL=C sort)
  done
}

#!/bin/sh
# Make sure that a redis-server is there for the tests of rooms. Usage: install_redis.sh FOLDER
# Looks where tests/classroom looks; does nothing, and asks nothing of the network, if found. Else
# Debian's packages are unpacked into FOLDER: installed, they would start a server at every boot.
set -u
case $1 in
  /*) folder=$1 ;;
  *) folder=$PWD/$1 ;;
esac

found() {
  command -v redis-server >/dev/null && return 0
  for one in "$folder"/usr/lib/*-linux-gnu; do
    LD_LIBRARY_PATH=$one "$folder/usr/bin/redis-server" --version >/dev/null 2>&1 && return 0
  done
  return 1
}

found && exit 0
command -v apt-get >/dev/null || {
  echo "No redis-server, and only Debian's and Ubuntu's is brought by this script: its tests are skipped."
  exit 0
}
echo "Unpacking redis-server for the tests of rooms ..."
mkdir -p "$folder" && cd "$folder" || exit 1
as_root=""
[ "$(id -u)" -eq 0 ] || as_root="sudo -n"
# redis-tools has the program; the others are libraries that it needs, by the release.
packages="redis-tools libjemalloc2 liblzf1 libatomic1"
apt-get download -qq $packages 2>/dev/null || {
  $as_root apt-get update -qq
  for package in $packages; do apt-get download -qq "$package" 2>/dev/null; done
}
for file in *.deb; do
  [ -f "$file" ] && dpkg -x "$file" . && rm "$file"
done
# The program itself, redis-check-rdb, is found by that name, too.
[ -e usr/bin/redis-server ] || ln -s redis-check-rdb usr/bin/redis-server
found && exit 0
echo "No redis-server could be unpacked: the tests of rooms skip it. Install one to run them" \
  "('apt-get install redis-server' as root)." >&2

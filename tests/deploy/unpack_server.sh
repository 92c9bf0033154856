#!/bin/sh
# Make sure that a server is there for the tests. Usage: unpack_server.sh nginx|redis FOLDER
# Looks where the tests look (nginx: tests/deploy, redis: tests/pages); does nothing, and asks
# nothing of the network, if found. Else Debian's packages are unpacked into FOLDER: installed, they
# would start a server at every boot.
set -u
server=$1
case $2 in
  /*) folder=$2 ;;
  *) folder=$PWD/$2 ;;
esac

found_nginx() {
  for one in "${NGINX_PROGRAM:-}" "$(command -v nginx)" /usr/sbin/nginx "$folder/usr/sbin/nginx"; do
    [ -n "$one" ] && "$one" -v 2>/dev/null && return 0
  done
  return 1
}

found_redis() {
  command -v redis-server >/dev/null && return 0
  for one in "$folder"/usr/lib/*-linux-gnu; do
    LD_LIBRARY_PATH=$one "$folder/usr/bin/redis-server" --version >/dev/null 2>&1 && return 0
  done
  return 1
}

# Each round is unpacked as a whole; the next one only if the server was not found then.
case $server in
  nginx) # which package has the program depends on the release
    rounds="nginx nginx-core nginx-light"
    hint="'apt-get install nginx-light' as root, or name one: NGINX_PROGRAM=/path/to/nginx" ;;
  redis) # redis-tools has the program; the others are libraries that it needs, by the release
    rounds="redis-tools,libjemalloc2,liblzf1,libatomic1"
    hint="'apt-get install redis-server' as root" ;;
  *)
    echo "unpack_server.sh: unknown server '$server': choose nginx or redis" >&2
    exit 2 ;;
esac

"found_$server" && exit 0
command -v apt-get >/dev/null || {
  echo "No $server, and only Debian's and Ubuntu's is brought by this script: its tests are skipped."
  exit 0
}
echo "Unpacking $server for the tests ..."
mkdir -p "$folder" && cd "$folder" || exit 1
as_root=""
[ "$(id -u)" -eq 0 ] || as_root="sudo -n"
is_updated=""
for round in $rounds; do
  for package in $(echo "$round" | tr , ' '); do
    apt-get download -qq "$package" 2>/dev/null && continue
    [ -n "$is_updated" ] || $as_root apt-get update -qq
    is_updated=yes
    apt-get download -qq "$package" 2>/dev/null
  done
  for file in *.deb; do
    [ -f "$file" ] && dpkg -x "$file" . && rm "$file"
  done
  # The program itself, redis-check-rdb, is found by that name, too.
  [ "$server" = nginx ] || [ -e usr/bin/redis-server ] || ln -s redis-check-rdb usr/bin/redis-server
  "found_$server" && exit 0
done
echo "No $server could be unpacked. Install one and run again ($hint)." >&2
[ "$server" = redis ] # the tests of rooms skip it; those of deploy/ fail without nginx

#!/bin/sh
# Make sure that an nginx is there for tests/deploy. Usage: install_nginx.sh FOLDER
# Looks where tests/deploy looks; does nothing, and asks nothing of the network, if found. Else
# Debian's package is unpacked into FOLDER: installed, it would start a web server at every boot.
set -u
case $1 in
  /*) folder=$1 ;;
  *) folder=$PWD/$1 ;;
esac

found() {
  for one in "${NGINX_PROGRAM:-}" "$(command -v nginx)" /usr/sbin/nginx "$folder/usr/sbin/nginx"; do
    [ -n "$one" ] && "$one" -v 2>/dev/null && return 0
  done
  return 1
}

found && exit 0
command -v apt-get >/dev/null || {
  echo "No nginx, and only Debian's and Ubuntu's is brought by this script: its test is skipped."
  exit 0
}
echo "Unpacking nginx for the tests of deploy/ ..."
mkdir -p "$folder" && cd "$folder" || exit 1
as_root=""
[ "$(id -u)" -eq 0 ] || as_root="sudo -n"
# Which package has the program depends on the release.
for package in nginx nginx-core nginx-light; do
  apt-get download -qq "$package" 2>/dev/null ||
    { $as_root apt-get update -qq && apt-get download -qq "$package" 2>/dev/null; }
  for file in "$package"_*.deb; do
    [ -f "$file" ] && dpkg -x "$file" . && rm "$file"
  done
  found && exit 0
done
echo "No nginx could be unpacked. Install one and run again ('apt-get install nginx-light' as" \
  "root), or name one: NGINX_PROGRAM=/path/to/nginx make test" >&2
exit 1

#!/bin/sh
# Make sure that a Chromium is there for the browser tests. Usage: install_chromium.sh PYTHON
# Looks where tests/conftest.py looks; does nothing, and asks nothing of the network, if found.
set -u
python=$1

found() {
  [ -n "${CHROMIUM:-}" ] && [ -x "$CHROMIUM" ] && return 0
  [ -x /usr/bin/chromium-headless-shell ] || [ -x /usr/bin/chromium ] && return 0
  "$python" - <<'END'
import pathlib, sys
from playwright.sync_api import sync_playwright
with sync_playwright() as p:
    sys.exit(not pathlib.Path(p.chromium.executable_path).exists())
END
}

found && exit 0
echo "Installing Chromium for the browser tests ..."
# Only Debian's own package is a plain program; Ubuntu's is a snap, which tests can't start.
if grep -qs '^ID=debian' /etc/os-release; then
  as_root=""
  [ "$(id -u)" -eq 0 ] || as_root="sudo -n"
  $as_root apt-get update -qq &&
    DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq chromium-headless-shell >/dev/null
  found && exit 0
fi
"$python" -m playwright install chromium && found && exit 0
echo "No Chromium could be installed. Install one and run again: 'apt-get install chromium' as" \
  "root on Debian, '$python -m playwright install --with-deps chromium' elsewhere, or name one:" \
  "CHROMIUM=/path/to/chromium make test" >&2
exit 1

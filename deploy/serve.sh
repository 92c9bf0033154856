#!/bin/sh
# Serve the app on this host with several processes behind one nginx, until Ctrl-C.
#   deploy/serve.sh                          two processes, http://localhost:8501
#   PROCESSES=4 PORT=8080 deploy/serve.sh
# From the environment: PROCESSES, PORT, FIRST_PORT (of the processes, on loopback only), PYTHON,
# NGINX_PROGRAM, RUN_FOLDER (nginx's access log and settings; a new one in /tmp if not named),
# LOG_BYTES (size at which the access log is put aside; two such files at most),
# STREAMLIT_SERVER_COOKIE_SECRET (shared by all processes; drawn anew if not set) and MLM_ROOMS (where
# the rooms of classes are kept: a file for this host, in RUN_FOLDER if not set, or redis://...).
set -eu
cd "$(dirname "$0")/.."
PATH=$PATH:/usr/sbin  # where Debian has nginx, and an ordinary user's path doesn't look
: "${PROCESSES:=2}" "${PORT:=8501}" "${FIRST_PORT:=8601}" "${PYTHON:=.venv/bin/python}"
: "${LOG_BYTES:=20000000}"
: "${NGINX_PROGRAM:=nginx}"  # nginx itself takes NGINX for a list of open sockets

fail() { echo "$*" >&2; exit 1; }
command -v "$NGINX_PROGRAM" >/dev/null || fail "no nginx: install it ('apt-get install nginx-light' on" \
  "Debian and Ubuntu), or name one: NGINX_PROGRAM=/path/to/nginx deploy/serve.sh"
command -v "$PYTHON" >/dev/null || fail "no $PYTHON: run 'make install' first, or name a Python" \
  "that has what requirements.txt lists: PYTHON=python3 deploy/serve.sh"

# In the environment and not among the options: those are in every user's list of processes.
: "${STREAMLIT_SERVER_COOKIE_SECRET:=$("$PYTHON" -c 'import secrets; print(secrets.token_hex())')}"
export STREAMLIT_SERVER_COOKIE_SECRET

# A learner's tab takes several handles, and Linux usually gives a process 1,024 to begin with.
handles=$(ulimit -S -n)
[ "$handles" = unlimited ] || [ "$handles" -ge 8192 ] || ulimit -S -n 8192 2>/dev/null \
  || ulimit -S -n "$(ulimit -H -n)"

own_folder=
[ -n "${RUN_FOLDER:-}" ] || { RUN_FOLDER=$(mktemp -d) && own_folder=$RUN_FOLDER; }
# All processes know the same rooms: which one serves a learner is chance.
export MLM_ROOMS="${MLM_ROOMS:-$RUN_FOLDER/rooms.db}"
cp deploy/nginx.conf "$RUN_FOLDER/nginx.conf"
echo "listen $PORT;" > "$RUN_FOLDER/listen.conf"
: > "$RUN_FOLDER/servers.conf"
ports=$(seq "$FIRST_PORT" $((FIRST_PORT + PROCESSES - 1)))
for port in $ports; do
  echo "server 127.0.0.1:$port max_fails=2 fail_timeout=5s;" >> "$RUN_FOLDER/servers.conf"
done
"$NGINX_PROGRAM" -q -t -p "$RUN_FOLDER/" -c "$RUN_FOLDER/nginx.conf" 2>&1 || fail "nginx refuses its settings"

# Let a process draw its first page for nobody, so that no learner waits for the model to load.
warm_up() {
  exec "$PYTHON" - "$1" <<'END' 2>/dev/null
import sys, time, urllib.request
address = f"http://127.0.0.1:{sys.argv[1]}/_stcore/script-health-check"
stop_at = time.monotonic() + 300
while time.monotonic() < stop_at:
    try:
        urllib.request.urlopen(address, timeout=120)  # the first page waits for the model
        break
    except OSError:
        time.sleep(0.5)
END
}

# A process that dies (the system's memory is full, say) comes back; its runs are gone.
keep_running() {
  app= warming=
  # TERM may come before anything was started, between a start and its name, after the warm-up.
  trap 'kill $app $warming ${!:-} 2>/dev/null || true; [ -z "$app" ] || wait "$app" || true; exit 0' TERM
  while :; do
    "$PYTHON" -m streamlit run app.py --server.port "$1" --server.address 127.0.0.1 \
      --server.headless true --server.scriptHealthCheckEnabled true &
    app=$!
    warm_up "$1" &
    warming=$!
    wait "$app" || true
    kill "$warming" 2>/dev/null || true
    echo "the process on port $1 has ended: it starts again" >&2
    sleep 1
  done
}

# Put nginx's access log aside when it is large, in the place of the one before it. The file stays
# and is emptied: nginx appends to it, and could not open a new one in root's folder as nobody.
keep_log_small() {
  while sleep 5; do
    [ "$(wc -c < "$RUN_FOLDER/access.log")" -gt "$LOG_BYTES" ] || continue
    cp "$RUN_FOLDER/access.log" "$RUN_FOLDER/access.log.1" && : > "$RUN_FOLDER/access.log"
  done
}

# Say so when a process draws no page any more: its plain health check may answer all the same.
watch_pages() {
  sleep 45  # the first pages wait for the model
  while sleep 15; do
    for port in $ports; do "$PYTHON" deploy/page_check.py "$port" || true; done
  done
}

is_healthy() {
  "$PYTHON" - "$1" <<'END' 2>/dev/null
import sys, urllib.request
urllib.request.urlopen(f"http://127.0.0.1:{sys.argv[1]}/_stcore/health", timeout=2)
END
}

wait_until_healthy() {
  tries=0
  until is_healthy "$1"; do
    tries=$((tries + 1))
    [ "$tries" -le 120 ] || fail "nothing answers on port $1"
    sleep 0.5
  done
}

started=
stop() {
  trap - EXIT INT TERM
  for one in $started; do kill "$one" 2>/dev/null || true; done
  wait
  [ -z "$own_folder" ] || rm -rf "$own_folder"
}
trap stop EXIT
trap 'exit 0' INT TERM

for port in $ports; do
  keep_running "$port" &
  started="$started $!"
done
for port in $ports; do wait_until_healthy "$port"; done
"$NGINX_PROGRAM" -p "$RUN_FOLDER/" -c "$RUN_FOLDER/nginx.conf" &
nginx=$!
started="$nginx $started"
wait_until_healthy "$PORT"
keep_log_small &
started="$! $started"
watch_pages &
started="$! $started"
echo "$PROCESSES processes at http://localhost:$PORT, nginx's log in $RUN_FOLDER/access.log"
wait "$nginx"

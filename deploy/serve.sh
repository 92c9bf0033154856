#!/bin/sh
# Serve the app on this host with several processes behind one nginx, until Ctrl-C.
#   deploy/serve.sh                          two processes, http://localhost:8501
#   PROCESSES=4 PORT=8080 MLM_ROOMS=redis deploy/serve.sh
# SIGUSR1 restarts one process after another, also during a class: kill -USR1 PID
# From the environment:
#   PROCESSES, PORT, FIRST_PORT (of the processes, on loopback only)
#   PYTHON, NGINX_PROGRAM, REDIS_PROGRAM
#   RUN_FOLDER  for nginx's access log and settings; a new one in /tmp if not named
#   LOG_BYTES   size at which the access log is put aside; two such files at most
#   MLM_ROOMS   where the rooms of classes are kept: a file for this host, in RUN_FOLDER, if not set;
#               "redis": a Redis that this script starts; or another one's address, redis://...
#   STREAMLIT_SERVER_COOKIE_SECRET  shared by all processes; drawn anew if not set
set -eu
cd "$(dirname "$0")/.."
PATH=$PATH:/usr/sbin  # where Debian has nginx, and an ordinary user's path doesn't look
: "${PROCESSES:=2}" "${PORT:=8501}" "${FIRST_PORT:=8601}" "${PYTHON:=.venv/bin/python}"
: "${LOG_BYTES:=20000000}"
: "${NGINX_PROGRAM:=nginx}"  # nginx itself takes NGINX for a list of open sockets
: "${REDIS_PROGRAM:=redis-server}"

fail() { echo "$*" >&2; exit 1; }
say() { echo "$*" || true; }  # a log on a full disk must not end the site
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
RUN_FOLDER=$(cd "$RUN_FOLDER" && pwd)  # a socket's address and redis-server take no relative path
# All processes know the same rooms: which one serves a learner is chance.
export MLM_ROOMS="${MLM_ROOMS:-$RUN_FOLDER/rooms.db}"
redis_socket=
if [ "$MLM_ROOMS" = redis ]; then
  command -v "$REDIS_PROGRAM" >/dev/null || fail "no redis-server: install it ('apt-get install" \
    "redis-server'), or name one: REDIS_PROGRAM=/path/to/redis-server"
  "$PYTHON" -c 'import redis' 2>/dev/null || fail "no redis-py: pip install redis==8.1.0"
  redis_socket=$RUN_FOLDER/redis.sock MLM_ROOMS=unix://$RUN_FOLDER/redis.sock
fi
echo "listen $PORT;" > "$RUN_FOLDER/listen.conf"
ports=$(seq "$FIRST_PORT" $((FIRST_PORT + PROCESSES - 1)))

# Name nginx all processes; to the one on port $out it leads nobody. The old file stays if the disk
# is full.
out=
name_servers() {
  servers=
  for one in $ports; do
    down=
    [ "$one" != "$out" ] || down=" down"
    servers="${servers}server 127.0.0.1:$one max_fails=2 fail_timeout=5s$down;
"
  done
  printf %s "$servers" > "$RUN_FOLDER/servers.new" \
    && mv "$RUN_FOLDER/servers.new" "$RUN_FOLDER/servers.conf"  # nginx may be reading the old one
}
name_servers || fail "nothing can be written in $RUN_FOLDER"

# Take nginx's settings from this version of the app, if nginx takes them.
copy_nginx_conf() {
  cp deploy/nginx.conf "$RUN_FOLDER/nginx.new" \
    && "$NGINX_PROGRAM" -q -t -p "$RUN_FOLDER/" -c "$RUN_FOLDER/nginx.new" 2>&1 \
    && mv "$RUN_FOLDER/nginx.new" "$RUN_FOLDER/nginx.conf"
}
copy_nginx_conf || fail "nginx refuses its settings"

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
else:
    sys.exit(1)
END
}

# Run a command under a name, an app's port or "redis". A process that dies (the system's memory is
# full, say) comes back; what only it had, runs or all rooms, is gone.
keep_running() {
  name=$1 app= warming=
  shift
  # TERM may come before anything was started, between a start and its name, after the warm-up.
  trap 'kill $app $warming ${!:-} 2>/dev/null || true; [ -z "$app" ] || wait "$app" || true; exit 0' TERM
  while :; do
    "$@" &
    app=$!
    # Without the file, on a full disk, it goes on, and a restart leaves it alone.
    echo "$app" > "$RUN_FOLDER/$name.pid" || rm -f "$RUN_FOLDER/$name.pid" || true
    if [ "$name" != redis ]; then
      warm_up "$name" &
      warming=$!
    fi
    wait "$app" || true
    [ -z "$warming" ] || kill "$warming" 2>/dev/null || true
    say "the process of $name has ended: it starts again" >&2
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

# Return whether a process answers on another port than $out; with one process there is none.
another_answers() {
  [ "$PROCESSES" -gt 1 ] || return 0
  for _ in 1 2 3 4 5; do  # at full work it answers late
    for one in $ports; do
      if [ "$one" != "$out" ] && is_healthy "$one"; then return 0; fi
    done
    sleep 0.5
  done
  return 1
}

# Wait for a process that this script has started, and return its status. In the foreground it
# would hold SIGTERM up; in the background a SIGUSR1 ends the wait before it.
wait_for() {
  while :; do
    status=0
    wait "$1" || status=$?
    kill -0 "$1" 2>/dev/null || return "$status"
  done
}

# Restart the process on port $out. nginx leads nobody to it; it ends, and its learners' pages
# connect to another one by themselves; it starts and draws a page, and nginx leads learners to it.
restart_one() {
  another_answers || { say "no other process than that on port $out answers"; return 1; }
  app=$(cat "$RUN_FOLDER/$out.pid") && [ -n "$app" ] \
    || { say "no number of the process on port $out: end it yourself"; return 1; }
  name_servers || { say "nothing can be written in $RUN_FOLDER"; return 1; }
  kill -HUP "$nginx"
  sleep 0.5  # until nginx has read that
  tries=0
  kill "$app" 2>/dev/null || true
  while kill -0 "$app" 2>/dev/null; do
    tries=$((tries + 1))
    [ "$tries" -ne 100 ] || kill -KILL "$app" 2>/dev/null || true
    sleep 0.2
  done
  warm_up "$out" &
  warming=$!
  wait_for "$warming" || { warming= && say "port $out draws no page"; return 1; }
  warming=
  renewed=$out
  out=
  name_servers || { out=$renewed && say "nothing can be written in $RUN_FOLDER"; return 1; }
  kill -HUP "$nginx"
  say "the process on port $renewed is a new one"
}

# Restart one process after another. One that doesn't start, with a new version of the app say,
# stays out, and the others stay; the next restart begins with it.
restart_all() {
  copy_nginx_conf || { say "nginx refuses its settings: the restart ends here"; return; }
  order=$out
  for one in $ports; do [ "$one" = "$out" ] || order="$order $one"; done
  for port in $order; do
    out=$port
    restart_one || { say "the restart ends here"; return; }
  done
  say "all processes are new ones"
}

started= warming=
stop() {
  trap - EXIT INT TERM
  trap '' USR1
  for one in $started $warming; do kill "$one" 2>/dev/null || true; done
  wait
  [ -z "$own_folder" ] || rm -rf "$own_folder"
}
trap stop EXIT
trap 'exit 0' INT TERM
restart_is_asked=
trap 'restart_is_asked=yes' USR1

if [ -n "$redis_socket" ]; then
  # Nothing of a room is written to the disk: what is deleted must be gone.
  keep_running redis "$REDIS_PROGRAM" --port 0 --unixsocket "$redis_socket" --unixsocketperm 700 \
    --save "" --appendonly no --loglevel warning --dir "$RUN_FOLDER" &
  started="$started $!"
fi
for port in $ports; do
  keep_running "$port" "$PYTHON" -m streamlit run app.py --server.port "$port" \
    --server.address 127.0.0.1 --server.headless true --server.scriptHealthCheckEnabled true &
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
echo "$PROCESSES processes at http://localhost:$PORT, nginx's log in $RUN_FOLDER/access.log;" \
  "a new one for each, one after another: kill -USR1 $$"
while :; do
  status=0
  [ -n "$restart_is_asked" ] || wait "$nginx" || status=$?
  [ -n "$restart_is_asked" ] || exit "$status"
  restart_is_asked=
  restart_all
done

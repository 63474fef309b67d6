#!/bin/sh
# machine stop|start|kill n1|e1|proxy: one machine of a cluster to practise on, or its etcd, or HAProxy.
set -eu
case "$0" in /*) folder=${0%/*};; *) echo "name this script by its whole path" >&2; exit 2;; esac
what=${1:-} name=${2:-}
case "$name" in
  n[123]) program="patroni patroni.yml";;
  e[123]) program="etcd --config-file etcd.yml";;
  proxy) program="haproxy -db -f haproxy.cfg";;
  *) echo "machine stop|start|kill n1|n2|n3|e1|e2|e3|proxy" >&2; exit 2;;
esac
# Whatever works in its folder; with `only` the program itself, which ends its PostgreSQL in order.
all() {
  for p in /proc/[0-9]*; do
    exe=$(readlink "$p/exe" 2>/dev/null || true)
    case "$exe" in */sh|*/dash|*/bash) continue;; esac
    case "$(readlink "$p/cwd" 2>/dev/null || true)" in
      "$folder/$name") echo "${p#/proc/}";;
      "$folder/$name"/*) [ "${1:-}" = only ] || echo "${p#/proc/}";;
    esac
  done
}
case "$what" in
  stop)
    for p in $(all only); do kill -TERM "$p" 2>/dev/null || true; done
    turns=0
    while [ -n "$(all)" ]; do
      turns=$((turns + 1))
      [ "$turns" -lt 120 ] || { echo "$name has not ended in a minute: $(all)" >&2; exit 1; }
      sleep 0.5
    done
    echo "$name is stopped";;
  kill)
    for p in $(all); do kill -KILL "$p" 2>/dev/null || true; done
    echo "$name is dead";;
  start)
    [ -z "$(all)" ] || { echo "$name runs already" >&2; exit 1; }
    cd "$folder/$name"
    as=""
    [ "$(id -u)" != 0 ] || as="setpriv --reuid=postgres --regid=postgres --clear-groups"
    # Where HAProxy is, the path of a user is not.
    PATH=$PATH:/usr/sbin:/sbin HOME=$folder/$name setsid $as $program >>log 2>&1 </dev/null &
    echo "$name is started: $folder/$name/log";;
  *) echo "machine stop|start|kill $name" >&2; exit 2;;
esac

#!/usr/bin/env bash
# Runs every COPY and RUN of the Dockerfile in a copy, prints its size, and runs every tier from it as an unprivileged user:
# migrations, API, workers and scheduler as separate processes with simulated sources, then the demo (a landing and its
# drawing) against them. Postgres comes from the repository's own packages, since the image has none. Where there is a
# container engine, the image is built, too. usage: .ci/image.sh [MAX_MB]
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
limit_mb=${1:-220}
export PATH="$root/node_modules/.bin:$PATH"
tree=$(mktemp -d)
pids=()
finish() {
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  wait 2>/dev/null || true
  rm -rf "$tree"
}
trap finish EXIT

mkdir -p "$tree/app" "$tree/data"
# The embedded Postgres runs as another user where this one is root.
chmod 755 "$tree" "$tree/data"
cd "$tree/app"
# The user `node` of the image; only root can become another one, who must be able to read this Node.
user=(setpriv --reuid=1000 --regid=1000 --clear-groups)
if [ "$(id -u)" = 0 ] && "${user[@]}" node --version >/dev/null 2>&1; then
  owner=1000:1000
else
  owner=$(id -u) user=()
  echo "The tiers run as $(id -un)."
fi
unprivileged() { exec "${user[@]}" "$@"; }
copy() {
  local target=${*: -1}
  case $target in */) mkdir -p "$target" ;; *) mkdir -p "$(dirname "$target")" ;; esac
  (cd "$root" && realpath "${@:1:$#-1}") | xargs -I{} cp -r {} "$target"
}
as=()
while read -r step rest; do
  case $step in
    USER) as=("${user[@]}") ;;
    # The next stage starts with what it takes from this one.
    FROM) find . -mindepth 1 -maxdepth 1 ! -name node_modules -exec rm -rf {} + ;;
    COPY) case $rest in --from=*) ;; *) copy $rest ;; esac ;;
    RUN) rest=${rest//node:node/$owner} && "${as[@]}" bash -ec "${rest//\/data/$tree\/files}" </dev/null ;;
  esac
done <"$root/Dockerfile"
find . -name node_modules -prune -o -name '*.test.ts' -exec rm {} +
size=$(du -sm node_modules | cut -f1)
echo "modules of the image: $size MB (limit $limit_mb MB)"
[ "$size" -le "$limit_mb" ]

export SOURCES=simulated LOG_LEVEL=warn SHUTDOWN_DRAIN_SECONDS=0
# Only for its database: without feeds, which run from the tree.
(cd "$root" && DATA_DIR="$tree/data" PORT=0 LANES=durable exec node apps/main.cjs) >"$tree/service.log" 2>&1 &
pids+=($!)
waits() {
  for _ in $(seq 240); do
    if "$@"; then return; fi
    sleep 0.5
  done
  echo "waited in vain: $*"
  cat "$tree"/*.log
  exit 1
}
waits grep -q '^ready' "$tree/service.log"

JWT_SECRET=$(printf 'k%.0s' {1..40})
SAFETY_CODE=$(printf 's%.0s' {1..20})
served=$(node -p "JSON.parse(fs.readFileSync('$tree/data/running.json')).databaseUrl")
(
  cd "$root"
  node -e "
    const client = new (require('pg').Client)('$served');
    client.connect().then(() => client.query('CREATE DATABASE image')).then(() => client.end());"
)
DATABASE_URL=$(node -p "const url = new URL('$served'); url.pathname = '/image'; url.href")
port=$(node -e "const s = require('net').createServer().listen(0, () => { console.log(s.address().port); s.close(); })")
export DATABASE_URL JWT_SECRET SAFETY_CODE DATA_DIR="$tree/files" PORT=$port BASE_URL="http://127.0.0.1:$port"
export NODE_ENV=production NODE_COMPILE_CACHE="$tree/app/compiled"
(unprivileged node apps/ops/migrate.ts)
for tier in api workers scheduler; do
  HEALTH_FILE=$([ "$tier" = api ] || echo "$tree/files/$tier.health") unprivileged node "apps/$tier/main.ts" >"$tree/$tier.log" 2>&1 &
  pids+=($!)
done
waits curl -sf -o /dev/null "$BASE_URL/readyz"
waits test -f "$tree/files/workers.health"
waits test -f "$tree/files/scheduler.health"
for page in status status/leaflet.js status/leaflet.css api/openapi.json v2/openapi.json; do
  curl -sf -o /dev/null "$BASE_URL/$page" || { echo "$page is missing"; exit 1; }
done
has_run() { curl -sf "$BASE_URL/status.json" | node -e "
  const { feeds } = JSON.parse(require('fs').readFileSync(0));
  process.exit(feeds.filter(({ feed, status }) => ['metar', 'timezones', 'winds'].includes(feed) && status === 'up').length === 3 ? 0 : 1)"; }
waits has_run
node apps/ops/main.ts feeds --json >/dev/null
(cd "$root" && node tools/demo/main.ts)
if grep -hE 'ERR_MODULE_NOT_FOUND|Cannot find|ENOENT' "$tree"/{api,workers,scheduler}.log; then exit 1; fi
echo 'Every tier runs from the tree of the image.'

if docker info >/dev/null 2>&1; then
  docker build --quiet --tag efb-backend:ci "$root"
  version=$(node -p "require('$root/package.json').version")
  [ "$(docker inspect --format '{{ index .Config.Labels "org.opencontainers.image.version" }}' efb-backend:ci)" = "$version" ]
  [ "$(docker run --rm efb-backend:ci node apps/ops/main.ts --version)" = "$version" ]
  echo "The image is built and has version $version."
else
  echo 'No container engine: the image itself was not built.'
fi

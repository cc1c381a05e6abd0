#!/usr/bin/env bash
# Builds the tree of the image as the Dockerfile does, prints its size, and runs every tier from it: migrations, API, workers
# and scheduler as separate processes with simulated sources, then the demo (a landing and its drawing) against them.
# Postgres comes from the repository's own packages, since the image has none. usage: .ci/image.sh [MAX_MB]
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
cp "$root"/{package.json,package-lock.json,.npmrc} .
npm ci --omit=dev --ignore-scripts --no-audit --no-fund >/dev/null
before=$(du -sm node_modules | cut -f1)
node "$root/apps/ops/prune-modules.cjs"
after=$(du -sm node_modules | cut -f1)
echo "production modules: $before MB as installed, $after MB in the image (limit $limit_mb MB)"
[ "$after" -le "$limit_mb" ]
cp -r "$root"/{apps,libs,db} .
find apps libs db -name '*.test.ts' -delete

export SOURCES=simulated LOG_LEVEL=warn SHUTDOWN_DRAIN_SECONDS=0
(cd "$root" && DATA_DIR="$tree/data" PORT=0 exec node apps/main.ts) >"$tree/service.log" 2>&1 &
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
node apps/ops/migrate.ts
for tier in api workers scheduler; do
  HEALTH_FILE=$([ "$tier" = api ] || echo "$tree/$tier.health") node "apps/$tier/main.ts" >"$tree/$tier.log" 2>&1 &
  pids+=($!)
done
waits curl -sf -o /dev/null "$BASE_URL/readyz"
waits test -f "$tree/workers.health"
waits test -f "$tree/scheduler.health"
for page in status status/leaflet.js status/leaflet.css api/openapi.json v2/openapi.json; do
  curl -sf -o /dev/null "$BASE_URL/$page" || { echo "$page is missing"; exit 1; }
done
has_run() { node apps/ops/main.ts feeds --json | node -e "
  const { feeds } = JSON.parse(require('fs').readFileSync(0));
  process.exit(feeds.filter(({ feed, status }) => ['metar', 'timezones', 'winds'].includes(feed) && status === 'up').length === 3 ? 0 : 1)"; }
waits has_run
node apps/demo/main.ts
if grep -hE 'ERR_MODULE_NOT_FOUND|Cannot find|ENOENT' "$tree"/{api,workers,scheduler}.log; then exit 1; fi
echo 'Every tier runs from the tree of the image.'

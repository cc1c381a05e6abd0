#!/usr/bin/env bash
# Makes two releases in a scratch clone of this repository, the second with a migration, and goes up and back between them four
# times on a database with airports, reports and accounts. A way back is the restore of the backup that was taken before the
# upgrade. Takes some minutes; changes nothing here. usage: .ci/releases.sh
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
export PATH="$root/node_modules/.bin:$PATH" LOG_LEVEL=error SOURCES=simulated PORT=0 RATE_LIMIT_SCALE=1000 SHUTDOWN_DRAIN_SECONDS=0
tree=$(mktemp -d)
service=
stop() { if [ -n "$service" ]; then kill "$service" && wait "$service" || true; fi; service=; }
trap 'stop; rm -rf "$tree"' EXIT
chmod 755 "$tree"
git clone -q "$root" "$tree/repo"
cd "$tree/repo"
ln -s "$root/node_modules" node_modules
echo node_modules >>.git/info/exclude
git config user.name Trial
git config user.email trial@example.org

minor=$(node -p "require('./package.json').version.split('.')[1]")
older=0.$((minor + 1)).0 newer=0.$((minor + 2)).0
noted() { sed -i "s/^## Unreleased$/&\n\n- $1/" CHANGELOG.md && git add -A && git commit -qm "$1"; }
release() { npm run -s release -- "$1" --skip-verify >"$tree/release.log" 2>&1 || { cat "$tree/release.log"; exit 1; }; }
noted 'The first of two releases of a trial'
release "$older"
printf -- '-- After the upgrade: only a backup leads back over it.\nCREATE TABLE trial (id bigint PRIMARY KEY);\n' >db/migrations/9999_trial.sql
noted 'The second of two releases of a trial has a table more'
release "$newer"
git tag --list

export DATA_DIR="$tree/data"
start() {
  git checkout -q "v$1"
  node apps/main.cjs >"$tree/service.log" 2>&1 &
  service=$!
  until grep -q '^ready' "$tree/service.log"; do
    kill -0 "$service" 2>/dev/null || { cat "$tree/service.log"; exit 1; }
    sleep 0.2
  done
  local url
  url=$(sed -n 's/^ready //p' "$tree/service.log")
  [ "$(curl -sf "$url/v2/health" | node -p 'JSON.parse(fs.readFileSync(0)).version')" = "$1" ]
  [ "$(node apps/ops/migrate.ts status | tail -1)" = "The database is up to date with version $1." ]
}
add() {
  node apps/ops/main.ts user create --email "$1@example.org" --firstname Ada --lastname Pilot >/dev/null
}
users() {
  node -e "
    const { databaseUrl } = JSON.parse(fs.readFileSync('$DATA_DIR/running.json'));
    const client = new (require('pg').Client)(databaseUrl);
    client.connect().then(() => client.query('SELECT count(*) FROM app_user')).then(({ rows }) => {
      console.log(rows[0].count);
      return client.end();
    });"
}

start "$older"
for turn in 1 2 3 4; do
  add "older-$turn"
  before=$(users)
  node apps/ops/main.ts backup --out "$tree/before-$turn.tar.zst" --unchecked
  stop
  start "$newer"
  [ "$(users)" = "$before" ]
  add "newer-$turn"
  after=$(users)
  stop
  git checkout -q "v$older"
  if refusal=$(node apps/main.cjs 2>&1); then echo "$older started on the schema of $newer"; exit 1; fi
  rm -rf "$DATA_DIR"
  node apps/ops/main.ts restore --in "$tree/before-$turn.tar.zst"
  start "$older"
  [ "$(users)" = "$before" ]
  echo "$turn: $older -> $newer with $before users, then $after; $older refused (${refusal##*$'\n'}) and is back with $(users)"
done

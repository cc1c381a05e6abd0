/** Baseline for the API: Koa and pg alone, one row per request, of 2 kB or the size in `/?bytes=`. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });
await pool.query('CREATE TABLE IF NOT EXISTS bench_bare (id integer PRIMARY KEY, body text)');
const ids = new Map<string, number>();
/** The id of a row of this size. */
const idOf = async (bytes: string): Promise<number> => {
  const id = ids.get(bytes) ?? ids.size + 1;
  if (ids.has(bytes)) return id;
  ids.set(bytes, id);
  const items = Array.from({ length: Math.ceil(Number(bytes) / 50) }, (_, i) => ({
    id: i,
    name: `a name of row ${i}`,
    value: i * 1.5,
  }));
  await pool.query('INSERT INTO bench_bare VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    id,
    JSON.stringify({ items }).slice(0, Number(bytes)),
  ]);
  return id;
};
await idOf('2000');
const app = new Koa();
app.use(async (ctx) => {
  const { rows } = await pool.query<{ body: string }>({
    name: 'bare',
    text: 'SELECT body FROM bench_bare WHERE id = $1',
    values: [await idOf(String(ctx.query['bytes'] ?? '2000'))],
  });
  ctx.type = 'application/json';
  ctx.body = rows[0]?.body;
});
const handle = app.callback();
const server = createServer((request, response) => void handle(request, response));
server.listen(0, '127.0.0.1', () =>
  process.send?.({ ready: true, port: (server.address() as AddressInfo).port }),
);
process.on('SIGTERM', () => process.exit(0));

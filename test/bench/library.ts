/** `librarySync` of 10,000 files and of one change, and the memory of a process that receives and sends 500 MB. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { insertBySql, runSql } from '#test/support/sql.ts';
import { benchKey, benchUsers } from './support/accounts.ts';
import { benchPostgres, compare } from './support/latency.ts';
import { cpuOf } from './support/cpu.ts';
import { createStand } from './support/servers.ts';
import type { Stand } from './support/servers.ts';

const files = 10_000;
const largeMb = 500;
const boundary = '----bench';

/** Resident memory of a process in MB: current and peak. */
const memoryMb = async (pid: number): Promise<{ now: number; peak: number }> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const of = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1_024;
  return { now: of('VmRSS'), peak: of('VmHWM') };
};

/** A PDF of about this size, piece by piece. */
const largePdf = function* (bytes: number): Generator<Buffer> {
  const line = Buffer.alloc(65_536, '% filling .........\n');
  yield Buffer.from('%PDF-1.7\n');
  for (let sent = 0; sent < bytes; sent += line.length) yield line;
  yield Buffer.from('\nstartxref\n0\n%%EOF\n');
};

const upload = (url: string, token: string, bytes: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'x-dev-key': benchKey,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    };
    const sent = request(`${url}/api`, { method: 'POST', headers, agent: new Agent() }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.once('end', () => resolve(text));
    });
    sent.once('error', reject);
    const head = (name: string, more = '') =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
    sent.write(`${head('query')}libraryUpload\r\n`);
    sent.write(
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="large.pdf"\r\nContent-Type: application/pdf\r\n\r\n`,
    );
    const pieces = largePdf(bytes);
    const next = (): void => {
      // Not `for … of`, which would close the generator at the first pause.
      for (let piece = pieces.next(); !piece.done; piece = pieces.next())
        if (!sent.write(piece.value)) {
          sent.once('drain', next);
          return;
        }
      sent.end(`\r\n--${boundary}--\r\n`);
    };
    next();
  });

const download = (address: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const sent = request(address, (response) => {
      const hash = createHash('sha256');
      response.on('data', (chunk: Buffer) => hash.update(chunk));
      response.once('end', () => resolve(hash.digest('hex')));
    });
    sent.once('error', reject);
    sent.end();
  });

const call = async (url: string, token: string, query: string, data = {}) => {
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${token}`,
    'x-dev-key': benchKey,
  };
  const response = await fetch(`${url}/api`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query, data }),
  });
  return (await response.json()) as {
    library: { syncedAt: string; files: { name: string; fileHash: string; downloadUrl: string }[] };
  };
};

/** In a new process, so that nothing else has raised its memory. */
const large = async (stand: Stand, token: string): Promise<void> => {
  const { url, child } = await stand.start('apps/api/main.ts', { LIBRARY_MAX_UPLOAD_MB: String(largeMb) });
  // Once with a smaller file, so that everything is loaded and compiled.
  await upload(url, token, 20_000_000);
  const first = (await call(url, token, 'librarySync')).library.files[0];
  await download(String(first?.downloadUrl).replace(/^https?:\/\/[^/]+/, url));
  const pid = child.pid ?? 0;
  const before = await memoryMb(pid);
  const started = performance.now();
  const answer = await upload(url, token, largeMb * 1_048_576 - 131_072);
  const uploaded = performance.now();
  const afterUpload = await memoryMb(pid);
  const file = (await call(url, token, 'librarySync')).library.files.at(-1);
  if (!file) throw new Error(`the upload answered ${answer}`);
  const hash = await download(file.downloadUrl.replace(/^https?:\/\/[^/]+/, url));
  const downloaded = performance.now();
  const after = await memoryMb(pid);
  console.log(
    `  ${largeMb} MB: received in ${((uploaded - started) / 1_000).toFixed(1)} s, sent in ${((downloaded - uploaded) / 1_000).toFixed(1)} s, ` +
      `hash ${hash === file.fileHash ? 'equal' : 'different'}; memory ${before.now.toFixed(0)} MB (most ${before.peak.toFixed(0)}) before, ` +
      `${afterUpload.now.toFixed(0)} MB after the upload, ${after.now.toFixed(0)} MB (most ${after.peak.toFixed(0)}) at the end: ` +
      `it grew by ${(after.peak - before.now).toFixed(0)} MB at most (bar 60)`,
  );
};

export const run = async (): Promise<void> => {
  const stand = await createStand();
  try {
    const postgres = benchPostgres(stand);
    const [token = '', other = ''] = await benchUsers(stand, postgres, 2);
    const { id } = await insertBySql<{ id: number }>(postgres)`
      INSERT INTO library_space (user_id) SELECT min(id) FROM app_user RETURNING id`;
    await runSql(postgres)`
      INSERT INTO library_folder (space_id, name, created_at, updated_at, changed_at)
      SELECT ${id}, 'Folder ' || i, now(), now(), now() FROM generate_series(1, 200) i`;
    await runSql(postgres)`
      INSERT INTO library_file (space_id, folder_id, name, type, mime_type, storage_key, file_size, file_hash,
        created_at, updated_at, changed_at)
      SELECT ${id}, 1 + i % 200, 'Chart ' || i || '.pdf', 'file', 'application/pdf', 'library/' || gen_random_uuid() || '.pdf',
        1000, md5(i::text) || md5(i::text), now(), now(), '2026-01-01'
      FROM generate_series(1, ${files}::int) i`;
    await large(stand, other);
    const { url, child } = await stand.start('apps/api/main.ts');
    const body = (data: object) => JSON.stringify({ query: 'librarySync', devKey: benchKey, data });
    const full = { barMs: 150, tokens: [token], bodyOf: () => body({}) };
    await compare('warm-up', url, { ...full, count: 20 });
    const cpuBefore = cpuOf(child.pid ?? 0);
    await compare(`${files} files`, url, { ...full, count: 50 });
    const cpuMs = ((cpuOf(child.pid ?? 0) - cpuBefore) / 50) * 1_000;
    console.log(`  the process takes ${cpuMs.toFixed(0)} ms of CPU time for one of them`);
    const { syncedAt } = (await call(url, token, 'librarySync')).library;
    await call(url, token, 'libraryFolderCreate', { name: 'Changed' });
    await compare('one change of them', url, {
      count: 300,
      barMs: 10,
      tokens: [token],
      bodyOf: () => body({ since: syncedAt }),
    });
    await postgres.close();
  } finally {
    await stand.close();
  }
};

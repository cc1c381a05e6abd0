/** The process of one pad, which may be killed at any time, since its store is on disk. */
import * as files from 'node:fs/promises';
import { createClient } from '../../../clients/typescript/src/index.ts';
import { fileStore } from '../../../clients/typescript/src/outbox/index.ts';
import { openPad } from './pad.ts';
import type { Dump, PadConfig } from './pad.ts';

export interface PadStart extends PadConfig {
  baseUrl: string;
  token: string;
  devKey: string;
  path: string;
}

export type PadMessage = { made: true } | { done: true } | { dump: Dump };

const tell = (message: PadMessage): Promise<void> =>
  new Promise((resolve) => {
    process.send?.(message, () => resolve());
  });

const { baseUrl, token, devKey, path, ...config } = JSON.parse(process.env['PAD'] ?? '') as PadStart;
const client = createClient({
  baseUrl,
  devKey,
  token: { token, expires: '2999-01-01T00:00:00Z' },
  timeoutMs: 5_000,
  retries: 1,
});
const pad = await openPad(client, await fileStore(path, files), config);
// The parent process has ended.
process.on('disconnect', () => process.exit(0));
process.on('message', () => {
  void pad
    .settle()
    .then(() => tell({ dump: pad.dump() }))
    .then(() => process.exit(0));
});
await pad.work(() => void tell({ made: true }));
await tell({ done: true });

/** Thread started by parser.ts: one document per message. */
import { parentPort } from 'node:worker_threads';
import { parseDocument } from './parse.ts';
import type { ParseTask } from './parse.ts';

if (!parentPort) throw new Error('This file runs as a worker thread only.');
const port = parentPort;
port.on('message', (task: ParseTask) => port.postMessage(parseDocument(task)));

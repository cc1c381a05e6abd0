/** The thread of inspection.ts: one piece of an upload per message. */
import { parentPort } from 'node:worker_threads';
import { inspectorOf } from './inspectors.ts';
import type { InspectedPiece, InspectionResult } from './inspection.ts';
import { ContentError } from './walk.ts';
import type { Inspector } from './walk.ts';

if (!parentPort) throw new Error('This file runs as a worker thread only.');
const port = parentPort;
const inspectors = new Map<number, Inspector>();

const inspect = ({ upload, type, bytes, isEnd }: InspectedPiece): void => {
  const inspector = inspectors.get(upload) ?? inspectorOf(type);
  inspectors.set(upload, inspector);
  inspector.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (!isEnd) return;
  inspector.end();
  inspectors.delete(upload);
};

const resultOf = (piece: InspectedPiece): InspectionResult => {
  const { upload } = piece;
  try {
    inspect(piece);
    return { upload, problem: null };
  } catch (error) {
    inspectors.delete(upload);
    if (error instanceof ContentError) return { upload, problem: error.message };
    throw error;
  }
};

port.on('message', (message: InspectedPiece | { left: number }) => {
  if ('left' in message) inspectors.delete(message.left);
  else port.postMessage(resultOf(message));
});

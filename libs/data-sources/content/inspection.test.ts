import { afterEach, expect, test } from 'vitest';
import { documents, pngOf, svgOf } from '#test/support/documents.ts';
import type { MediaType } from '#domain/library/media-types.ts';
import { createInspection } from './inspection.ts';
import type { Inspection } from './inspection.ts';

let inspection: Inspection;
afterEach(() => inspection.close());

const inspect = async (type: MediaType, bytes: Buffer): Promise<void> => {
  const file = inspection.begin(type);
  for (let at = 0; at < bytes.length; at += 100) await file.push(bytes.subarray(at, at + 100));
  await file.end();
};

test('Files are inspected by turns in a thread, each with its own result', async () => {
  inspection = createInspection();
  const files = [...(await documents())] as [MediaType, Buffer][];
  const bad: [MediaType, Buffer, RegExp][] = [
    ['image/svg+xml', svgOf('<script/>'), /the element script/],
    ['image/png', (await pngOf()).subarray(0, -10), /incomplete/],
    ['image/gif', await pngOf(), /not a GIF/],
  ];
  await Promise.all([
    ...files.map(([type, bytes]) => inspect(type, bytes)),
    ...bad.map(([type, bytes, problem]) =>
      expect(inspect(type, bytes)).rejects.toMatchObject({
        name: 'ContentError',
        message: expect.stringMatching(problem),
      }),
    ),
  ]);
});

test('A file that is left is forgotten, and a failure of the thread ends only the files of that time', async () => {
  inspection = createInspection();
  const left = inspection.begin('image/png');
  await left.push((await pngOf()).subarray(0, 20));
  left.leave();
  const open = inspection.begin('image/png');
  await open.push((await pngOf()).subarray(0, 20));
  await expect(inspect('text/plain' as MediaType, Buffer.from('x'))).rejects.toThrow(TypeError);
  await expect(open.end()).rejects.toThrow('was restarted');
  await inspect('image/png', await pngOf());
});

/**
 * Spools an answer to a file before sending: it does not occupy memory, and a failure can still be answered with an
 * error.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { jsonSource } from '#domain/text/json-text.ts';
import type { JsonSource } from '#domain/text/json-text.ts';
import { withStorageUnavailability } from '#platform/files/unavailable.ts';

/** Shorter texts are joined up to this many characters per write. */
const leastWritten = 65_536;

const joined = async function* joined(texts: AsyncIterable<string>) {
  let waiting = '';
  for await (const text of texts) {
    waiting += text;
    if (waiting.length < leastWritten) continue;
    yield waiting;
    waiting = '';
  }
  yield waiting;
};

/**
 * Writes the JSON texts one after the other to a file in this folder and opens it. The file is unlinked, so it
 * disappears with its reader or the process. Throws UnavailableError when the disk is full.
 */
export const spooled = async (folder: string, texts: AsyncIterable<string>): Promise<JsonSource> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, randomUUID());
  const file = await open(path, 'wx+', 0o600);
  try {
    await rm(path);
    await file.writeFile(joined(texts));
    const { size } = await file.stat();
    return jsonSource(size, () => file.createReadStream({ start: 0 }));
  } catch (error) {
    await file.close();
    throw withStorageUnavailability(error);
  }
};

/** An object whose members are lists; the entries are JSON texts. */
export const objectOfLists = async function* objectOfLists(
  members: readonly string[],
  entriesOf: (member: string) => AsyncIterable<string>,
): AsyncGenerator<string> {
  for (const [i, member] of members.entries()) {
    yield `${i === 0 ? '{' : ','}${JSON.stringify(member)}:[`;
    let between = '';
    for await (const entry of entriesOf(member)) {
      yield between + entry;
      between = ',';
    }
    yield ']';
  }
  yield '}';
};

/** An answer that is written to a file before it is sent: memory does not hold it, and a failure still has its error. */
import { randomUUID } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { jsonSource } from '#domain/text/json-text.ts';
import type { JsonSource } from '#domain/text/json-text.ts';
import { withStorageUnavailability } from '#platform/files/unavailable.ts';

/** Characters of one write; a longer text is one. */
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
 * The texts in a row, which are JSON, in a file of this folder. It has no name, so that it ends with its reader, or with the
 * process. Throws UnavailableError for a full disk.
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

/** An object with a list in each member; the entries are JSON. */
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

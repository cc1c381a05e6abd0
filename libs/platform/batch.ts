/** Batches concurrent lookups into one statement, without caching. */

interface Asked<Key, Value> {
  key: Key;
  resolve: (value: Value) => void;
  reject: (error: unknown) => void;
}

/** Limits the parameters of a statement. */
const maxKeys = 200;

/**
 * Keys requested in one turn of the event loop are loaded together; `load` returns values in the order of the keys. A
 * load begins after its last key was requested, so every caller sees earlier commits.
 */
export const createBatch = <Key, Value>(
  load: (keys: readonly Key[]) => Promise<readonly Value[]>,
): ((key: Key) => Promise<Value>) => {
  let waiting: Asked<Key, Value>[] = [];

  const run = async (asked: readonly Asked<Key, Value>[]): Promise<void> => {
    try {
      const values = await load(asked.map(({ key }) => key));
      if (values.length !== asked.length)
        throw new Error(`${asked.length} keys were loaded, ${values.length} values found`);
      asked.forEach(({ resolve }, i) => resolve(values[i] as Value));
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  };

  const runAll = () => {
    const asked = waiting;
    waiting = [];
    for (let at = 0; at < asked.length; at += maxKeys) void run(asked.slice(at, at + maxKeys));
  };

  return (key) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(runAll);
      waiting.push({ key, resolve, reject });
    });
};

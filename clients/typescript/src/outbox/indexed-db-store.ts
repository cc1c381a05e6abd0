import type { Store } from './store.ts';

const table = 'entries';

const resultOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB failed.')));
  });

/** A browser database with this name. Tabs sharing it must hold a Web Lock while using it. */
export const indexedDbStore = async (name: string): Promise<Store> => {
  const opening = indexedDB.open(name, 1);
  opening.addEventListener('upgradeneeded', () => void opening.result.createObjectStore(table));
  const database = await resultOf(opening);
  return {
    entries: async (prefix) => {
      const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
      const rows = database.transaction(table).objectStore(table);
      const [keys, values] = await Promise.all([
        resultOf(rows.getAllKeys(range)),
        resultOf<unknown[]>(rows.getAll(range)),
      ]);
      return keys.map((key, i) => [key as string, values[i]]);
    },
    write: (changes) =>
      new Promise((resolve, reject) => {
        const transaction = database.transaction(table, 'readwrite', { durability: 'strict' });
        const rows = transaction.objectStore(table);
        for (const [key, value] of Object.entries(changes))
          if (value === undefined) rows.delete(key);
          else rows.put(value, key);
        transaction.addEventListener('complete', () => resolve());
        transaction.addEventListener('abort', () =>
          reject(transaction.error ?? new Error('IndexedDB wrote nothing.')),
        );
      }),
  };
};

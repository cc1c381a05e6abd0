/** Several rows in one answer, for a device's first sync or after an absence. */
import { z } from 'zod';

/** Rows or plans per call. */
export const maxSeveral = 50;
/** The first row is included whatever its size. */
export const maxSeveralBytes = 2_097_152;

/** Answer of a query for several rows; `id` is how the request identifies one. */
export const severalShape = <Item extends z.ZodType, Missing extends z.ZodType, Left extends z.ZodType>(
  item: Item,
  missing: Missing,
  left: Left,
) => ({
  items: z.array(item).describe('rows found, in the order of the request'),
  missing: z.array(missing).describe('rows that do not exist, or that the user may not read'),
  left: z
    .array(left)
    .describe(
      `requested ids whose rows did not fit into ${maxSeveralBytes} bytes; request them unchanged in another call`,
    ),
});

interface Several<Id, Item> {
  items: Item[];
  missing: Id[];
  left: Id[];
}

/** Reads rows one by one until the answer is full. */
export const several = async <Id, Item>(
  ids: readonly Id[],
  read: (id: Id) => Promise<Item | null>,
): Promise<Several<Id, Item>> => {
  const found: Several<Id, Item> = { items: [], missing: [], left: [] };
  let bytes = 0;
  for (const [index, id] of ids.entries()) {
    const item = await read(id);
    if (item === null) {
      found.missing.push(id);
      continue;
    }
    bytes += JSON.stringify(item).length;
    if (found.items.length > 0 && bytes > maxSeveralBytes) {
      found.left.push(...ids.slice(index));
      break;
    }
    found.items.push(item);
  }
  return found;
};

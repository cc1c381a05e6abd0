import type { Context } from '#data/context.ts';
import { idBlock, requestLogWrites } from '#data/postgres/requests/log.ts';

const lowWater = 300;

/** Ids of log rows, reserved in blocks, so that no request waits for one; null while there are none. */
export const createLogIds = async ({
  postgres,
  log,
}: Pick<Context, 'postgres' | 'log'>): Promise<() => number | null> => {
  let free: { next: number; end: number }[] = [];
  let reserving: Promise<void> | undefined;

  const reserve = (): Promise<void> => {
    reserving ??= postgres
      .transaction((tx) => requestLogWrites(tx).reserve())
      .then((first) => void free.push({ next: first, end: first + idBlock }))
      .catch((error: unknown) => log.warn({ err: error }, 'no log ids could be reserved'))
      .finally(() => {
        reserving = undefined;
      });
    return reserving;
  };
  await reserve();

  return () => {
    free = free.filter((block) => block.next < block.end);
    const [block] = free;
    if (free.reduce((sum, b) => sum + b.end - b.next, 0) < lowWater) void reserve();
    if (!block) return null;
    const id = block.next;
    block.next += 1;
    return id;
  };
};

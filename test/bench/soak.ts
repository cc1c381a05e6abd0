/**
 * Memory of the whole embedded service under a steady load, Postgres included: PSS of every process, each minute for
 * `BENCH_SOAK_MINUTES` (default 30). Linux only.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startWork } from './faults/clients.ts';
import { startFaultService } from './faults/service.ts';
import { familyMb } from './support/memory.ts';
import { median } from './support/servers.ts';

/** Enough for caches and heaps to fill. */
const warmUpMinutes = 5;
const growthBar = 1.1;
/** About 25 calculations a second. */
const pauseMs = 100;

const soakMinutes = (): number => {
  const minutes = Number(process.env['BENCH_SOAK_MINUTES'] ?? 30);
  if (!(minutes > warmUpMinutes && minutes <= 24 * 60))
    throw new Error(`BENCH_SOAK_MINUTES: must be a number over ${warmUpMinutes} and up to 1440`);
  return minutes;
};

/** Compares the medians of the first and the last third of the minutes after the warm-up. */
export const run = async (): Promise<void> => {
  const minutes = soakMinutes();
  const service = await startFaultService();
  const samples: number[] = [];
  try {
    const work = startWork(service, pauseMs);
    for (let minute = 1; minute <= minutes; minute += 1) {
      await sleep(60_000);
      const mb = await familyMb(service.running().pid);
      console.log(`  minute ${String(minute).padStart(3)}  ${mb.toFixed(0).padStart(5)} MB PSS`);
      if (minute > warmUpMinutes) samples.push(mb);
    }
    await work.stop();
    const third = Math.max(1, Math.floor(samples.length / 3));
    const [first, last] = [median(samples.slice(0, third)), median(samples.slice(-third))];
    const growth = last / first;
    console.log(
      `  growth      ${first.toFixed(0)} to ${last.toFixed(0)} MB, times ${growth.toFixed(2)} (bar ${growthBar}); ` +
        `${work.calculations.size} calculations, ${work.pictures.size} pictures, ${work.resets.size} mails`,
    );
    if (growth > growthBar) process.exitCode = 1;
  } finally {
    await service.close();
  }
};

import { Presets, SingleBar } from 'cli-progress';

export interface Progress {
  update: (done: number, total: number | null, unit: string) => void;
  end: () => void;
}

const amountOf = (done: number, total: number | null, unit: string): string => {
  if (unit === 'bytes') return `${(done / 1_000_000).toFixed(1)} MB`;
  return total === null ? unit : `${done} of ${total} ${unit}`;
};

/** A bar on a terminal; elsewhere a line per step and every two seconds, so that logs stay readable. */
export const createProgress = (label: string, stream: NodeJS.WriteStream = process.stderr): Progress => {
  if (stream.isTTY) {
    const bar = new SingleBar(
      { format: `${label} {bar} {percentage} % {amount}`, hideCursor: true, stream, clearOnComplete: false },
      Presets.shades_classic,
    );
    let isStarted = false;
    return {
      update: (done, total, unit) => {
        const amount = { amount: amountOf(done, total, unit) };
        const size = total ?? Math.max(done, 1);
        if (!isStarted) bar.start(size, done, amount);
        isStarted = true;
        bar.setTotal(size);
        bar.update(done, amount);
      },
      end: () => {
        if (isStarted) bar.stop();
      },
    };
  }
  let unit = '';
  let saidAt = -Infinity;
  return {
    update: (done, total, newUnit) => {
      const isLast = total !== null && done >= total;
      const now = performance.now();
      if (newUnit === unit && !isLast && now - saidAt < 2_000) return;
      unit = newUnit;
      saidAt = now;
      const share = total === null || total === 0 ? '' : ` (${Math.round((done / total) * 100)} %)`;
      stream.write(`${label}: ${amountOf(done, total, newUnit)}${share}\n`);
    },
    end: () => undefined,
  };
};

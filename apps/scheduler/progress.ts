import { Presets, SingleBar } from 'cli-progress';

export interface Progress {
  update: (done: number, total: number | null, unit: string) => void;
  end: () => void;
}

const amountOf = (done: number, total: number | null, unit: string): string => {
  if (unit === 'bytes') return `${(done / 1_000_000).toFixed(1)} MB`;
  return total === null ? unit : `${done} of ${total} ${unit}`;
};

/** A part of the work with a separate count: another unit, or a count that starts again. */
const phases = () => {
  let unit = '';
  let done = 0;
  return {
    isNew: (newDone: number, newUnit: string): boolean => {
      const isNew = newUnit !== unit || newDone < done;
      unit = newUnit;
      done = newDone;
      return isNew;
    },
  };
};

const format = (label: string): string => `${label} {bar} {percentage} % {amount}`;

/** One bar per phase, so that none runs backwards. */
const createBars = (label: string, stream: NodeJS.WriteStream): Progress => {
  const phase = phases();
  let bar: SingleBar | null = null;
  return {
    update: (done, total, unit) => {
      const size = Math.max(total ?? done, done, 1);
      const amount = { amount: amountOf(done, total, unit) };
      if (phase.isNew(done, unit) || bar === null) {
        bar?.stop();
        const options = { format: format(label), hideCursor: true, stream, clearOnComplete: false };
        bar = new SingleBar(options, Presets.shades_classic);
        bar.start(size, done, amount);
      }
      bar.setTotal(size);
      bar.update(done, amount);
    },
    end: () => bar?.stop(),
  };
};

/** A bar on a terminal; elsewhere a line per phase and every two seconds, so that logs stay readable. */
export const createProgress = (label: string, stream: NodeJS.WriteStream = process.stderr): Progress => {
  if (stream.isTTY) return createBars(label, stream);
  const phase = phases();
  let saidAt = -Infinity;
  return {
    update: (done, total, unit) => {
      const isLast = total !== null && done >= total;
      const now = performance.now();
      if (!phase.isNew(done, unit) && !isLast && now - saidAt < 2_000) return;
      saidAt = now;
      const share = total === null || total === 0 ? '' : ` (${Math.round((done / total) * 100)} %)`;
      stream.write(`${label}: ${amountOf(done, total, unit)}${share}\n`);
    },
    end: () => undefined,
  };
};

export type Progress = (done: number, total: number | null, unit: string) => void;

const amountOf = (done: number, total: number | null, unit: string): string => {
  if (unit === 'bytes') return `${(done / 1_000_000).toFixed(1)} MB`;
  return total === null ? unit : `${done} of ${total} ${unit}`;
};

/** A line per phase and every two seconds. A phase has another unit, or a count that starts again. */
export const createProgress = (label: string, stream: NodeJS.WritableStream = process.stderr): Progress => {
  let [last, lastUnit, saidAt] = [0, '', -Infinity];
  return (done, total, unit) => {
    const isNew = unit !== lastUnit || done < last;
    const isLast = total !== null && done >= total;
    [last, lastUnit] = [done, unit];
    if (!isNew && !isLast && performance.now() - saidAt < 2_000) return;
    saidAt = performance.now();
    const share = total === null || total === 0 ? '' : ` (${Math.round((done / total) * 100)} %)`;
    stream.write(`${label}: ${amountOf(done, total, unit)}${share}\n`);
  };
};

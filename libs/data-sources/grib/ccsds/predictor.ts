/** Undoes the unit-delay predictor and its mapping of signed differences to unsigned numbers. */
export interface Predictor {
  /** Previous sample, unsigned. */
  last: number;
  /** Largest sample, 2^bits - 1. */
  readonly top: number;
  /** A sample n is the value base + n x step. */
  readonly base: number;
  readonly step: number;
}

/** Where the values of a block go: samples `from` to `count` of the block, the first of the block to `point`. */
export interface BlockTarget {
  out: Float32Array;
  point: number;
  from: number;
  count: number;
}

/**
 * Writes the values of mapped differences. A difference alternates between up and down as long as both stay
 * between 0 and `top`; beyond that it can only go one way. For samples of up to 30 bits.
 */
export const undoDifferences = (predictor: Predictor, values: Uint32Array, target: BlockTarget): void => {
  const { base, step } = predictor;
  const { out, from, count } = target;
  const top = predictor.top | 0;
  const middle = (top >>> 1) | 0;
  let sample = predictor.last | 0;
  let point = target.point + from;
  for (let i = from; i < count; i++, point++) {
    const mapped = (values[i] ?? 0) | 0;
    const room = sample > middle ? top - sample : sample;
    if ((mapped + 1) >>> 1 <= room) sample = (sample + ((mapped >>> 1) ^ -(mapped & 1))) | 0;
    else sample = sample > middle ? top - mapped : mapped;
    out[point] = base + sample * step;
  }
  predictor.last = sample;
};

/** The same in floating point, for samples of 31 and 32 bits. */
export const undoWideDifferences = (predictor: Predictor, values: Uint32Array, target: BlockTarget): void => {
  const { top, base, step } = predictor;
  const { out, point, from, count } = target;
  const middle = Math.floor(top / 2);
  let sample = predictor.last;
  for (let i = from; i < count; i++) {
    const mapped = values[i] ?? 0;
    const room = sample > middle ? top - sample : sample;
    const half = Math.ceil(mapped / 2);
    if (half <= room) sample += mapped % 2 === 0 ? half : -half;
    else sample = sample > middle ? top - mapped : mapped;
    out[point + i] = base + sample * step;
  }
  predictor.last = sample;
};

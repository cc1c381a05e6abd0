import { bitsFor, bitWriter, octets } from './bit-writer.ts';
import type { PackedValues } from './sections.ts';

export interface ScaledSteps {
  /** Whole steps above the lowest value; null is a missing value. */
  steps: (number | null)[];
  /** The part of section 5 that the integer templates share. */
  head: Buffer;
}

/** Values as whole steps of 2^binaryScale × 10^-decimals, for template 5.`template`. */
export const scaledSteps = (
  values: readonly (number | null)[],
  { template, decimals = 2, binaryScale = 0 }: { template: number; decimals?: number; binaryScale?: number },
): ScaledSteps => {
  const steps = values.map((value) =>
    value === null ? null : Math.round((value * 10 ** decimals) / 2 ** binaryScale),
  );
  const present = steps.filter((step) => step !== null);
  const lowest = present.length === 0 ? 0 : Math.min(...present);
  const scale = Buffer.alloc(8);
  scale.writeFloatBE(lowest * 2 ** binaryScale);
  octets(binaryScale, 2).copy(scale, 4);
  octets(decimals, 2).copy(scale, 6);
  return {
    steps: steps.map((step) => (step === null ? null : step - lowest)),
    head: Buffer.concat([octets(values.length, 4), octets(template, 2), scale]),
  };
};

/** Template 5.0: every step in as many bits as the largest needs. */
export const packSimple = ({ steps, head }: ScaledSteps): PackedValues => {
  const bits = bitsFor(steps.reduce<number>((most, step) => Math.max(most, step ?? 0), 0));
  const writer = bitWriter();
  for (const step of steps) writer.put(step ?? 0, bits);
  return { body: Buffer.concat([head, Buffer.from([bits, 0])]), data: writer.bytes() };
};

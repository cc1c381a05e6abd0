import { GribError, unsupportedPacking } from './errors.ts';
import { signed16 } from './octets.ts';
import type { ComplexPacking, IeeePacking, Packing } from './types.ts';

/** Maximum number of groups of complex packing: a 0.25 degree NCEP field has about 32 thousand. */
const maxGroups = 1_048_576;

const minLengthOf: Readonly<Record<number, number>> = { 0: 21, 2: 47, 3: 49, 4: 12 };

/** Reads section 5 (data representation) at `at`, `length` octets long. */
export const readPacking = (view: DataView, at: number, length: number): Packing => {
  if (length < 11) throw new GribError('BAD_STRUCTURE', 'section 5 is too short', { section: 5 });
  const template = view.getUint16(at + 9);
  const minLength = minLengthOf[template];
  if (minLength === undefined) throw unsupportedPacking(template);
  if (length < minLength)
    throw new GribError('BAD_STRUCTURE', `section 5 is too short for 5.${template}`, {
      section: 5,
      template,
    });
  if (template === 4) return readIeee(view, at);
  const scaled = readScale(view, at, template);
  if (template === 0) return { template: 0, ...scaled };
  return { ...readGroups(view, at, template === 3 ? 3 : 2), ...scaled };
};

const readScale = (
  view: DataView,
  at: number,
  template: number,
): { base: number; step: number; bits: number } => {
  const decimal = 10 ** -signed16(view, at + 17);
  const base = view.getFloat32(at + 11) * decimal;
  const step = 2 ** signed16(view, at + 15) * decimal;
  const bits = view.getUint8(at + 19);
  if (!Number.isFinite(base) || !Number.isFinite(step))
    throw new GribError('BAD_DATA', 'reference value or scale factors are out of range', {
      section: 5,
      template,
    });
  if (bits > 32)
    throw new GribError('UNSUPPORTED_PACKING', `5.${template} with ${bits} bits a value`, {
      section: 5,
      template,
    });
  return { base, step, bits };
};

const readIeee = (view: DataView, at: number): IeeePacking => {
  const precision = view.getUint8(at + 11);
  if (precision !== 1 && precision !== 2)
    throw new GribError('UNSUPPORTED_PACKING', `5.4 with precision ${precision} (code table 5.7)`, {
      section: 5,
      template: 4,
    });
  return { template: 4, octets: precision === 1 ? 4 : 8 };
};

const readGroups = (
  view: DataView,
  at: number,
  template: 2 | 3,
): Omit<ComplexPacking, 'base' | 'step' | 'bits'> => {
  const refuse = (text: string): GribError =>
    new GribError('UNSUPPORTED_PACKING', `5.${template} with ${text}`, { section: 5, template });
  const missingManagement = view.getUint8(at + 22);
  if (missingManagement > 2) throw refuse(`missing value management ${missingManagement}`);
  const splitting = view.getUint8(at + 21);
  if (splitting > 1) throw refuse(`group splitting method ${splitting}`);
  const groups = view.getUint32(at + 31);
  if (groups > maxGroups)
    throw new GribError(
      'LIMIT_EXCEEDED',
      `5.${template}: ${groups} groups exceed the limit of ${maxGroups}`,
      {
        section: 5,
        template,
      },
    );
  const widthBits = view.getUint8(at + 36);
  const lengthBits = view.getUint8(at + 46);
  if (widthBits > 8 || lengthBits > 31) throw refuse(`${widthBits}-bit widths, ${lengthBits}-bit lengths`);
  const order = template === 3 ? view.getUint8(at + 47) : 0;
  const extraOctets = template === 3 ? view.getUint8(at + 48) : 0;
  if (template === 3 && order !== 1 && order !== 2) throw refuse(`differencing of order ${order}`);
  if (extraOctets > 4) throw refuse(`${extraOctets} extra octets`);
  return {
    template,
    missingManagement: missingManagement as 0 | 1 | 2,
    groups,
    widthReference: view.getUint8(at + 35),
    widthBits,
    lengthReference: view.getUint32(at + 37),
    lengthIncrement: view.getUint8(at + 41),
    lastLength: view.getUint32(at + 42),
    lengthBits,
    order: order as 0 | 1 | 2,
    extraOctets,
  };
};

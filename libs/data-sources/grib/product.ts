import { GribError, unsupportedProduct } from './errors.ts';
import { signed32, signed8 } from './octets.ts';
import type { GribLevel } from './types.ts';

export interface GribProduct {
  template: number;
  category: number;
  number: number;
  forecastHour: number;
  level: GribLevel;
}

/** Templates that share the layout of 4.0 up to the second surface: analyses, ensembles and statistics. */
const templates = new Set([0, 1, 2, 8, 11, 12]);

/** Hours per unit of code table 4.4. */
const hoursOfUnit: Readonly<Record<number, number>> = {
  0: 1 / 60,
  1: 1,
  2: 24,
  10: 3,
  11: 6,
  12: 12,
  13: 1 / 3600,
};

/** Reads section 4 (product definition) at `at`, `length` octets long. */
export const readProduct = (view: DataView, at: number, length: number): GribProduct => {
  if (length < 9) throw new GribError('BAD_STRUCTURE', 'section 4 is too short', { section: 4 });
  const template = view.getUint16(at + 7);
  if (!templates.has(template)) throw unsupportedProduct(template);
  if (length < 34) throw new GribError('BAD_STRUCTURE', 'section 4 is too short', { section: 4 });
  const unit = view.getUint8(at + 17);
  const unitHours = hoursOfUnit[unit];
  if (unitHours === undefined)
    throw new GribError('UNSUPPORTED_PRODUCT', `time unit ${unit} (code table 4.4) is not supported`, {
      section: 4,
      template,
    });
  return {
    template,
    category: view.getUint8(at + 9),
    number: view.getUint8(at + 10),
    forecastHour: signed32(view, at + 18) * unitHours,
    level: readLevel(view, at + 22),
  };
};

const readLevel = (view: DataView, at: number): GribLevel => {
  const type = view.getUint8(at);
  const factor = view.getUint8(at + 1);
  const scaled = view.getUint32(at + 2);
  if (type === 255 || factor === 255 || scaled === 0xffffffff) return { type, value: null };
  const exponent = signed8(view, at + 1);
  const value = signed32(view, at + 2);
  // Dividing by a whole power of ten yields exactly the decimal 0.995.
  return { type, value: exponent >= 0 ? value / 10 ** exponent : value * 10 ** -exponent };
};

import { GribError } from './types.ts';
import { signed32, signed8, signed16 } from './bits.ts';
import type { GribEntry, GribField, GribLevel, ComplexPacking, Packing } from './types.ts';
import { readGrid } from './grid.ts';

/** Maximum number of groups of complex packing: a 0.25 degree NCEP field has about 32 thousand. */
const maxGroups = 1_048_576;

const minLengthOf: Readonly<Record<number, number>> = { 0: 21, 2: 47, 3: 49 };

/** Reads section 5 (data representation) at `at`, `length` octets long. */
const readPacking = (view: DataView, at: number, length: number): Packing => {
  if (length < 11) throw new GribError('BAD_STRUCTURE', 'section 5 is too short', 5);
  const template = view.getUint16(at + 9);
  const minLength = minLengthOf[template];
  if (minLength === undefined)
    throw new GribError(
      'UNSUPPORTED_PACKING',
      `packing template 5.${template} is not supported`,
      5,
      template,
    );
  if (length < minLength)
    throw new GribError('BAD_STRUCTURE', `section 5 is too short for 5.${template}`, 5, template);
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
    throw new GribError('BAD_DATA', 'reference value or scale factors are out of range', 5, template);
  if (bits > 32)
    throw new GribError('UNSUPPORTED_PACKING', `5.${template} with ${bits} bits a value`, 5, template);
  return { base, step, bits };
};

const readGroups = (
  view: DataView,
  at: number,
  template: 2 | 3,
): Omit<ComplexPacking, 'base' | 'step' | 'bits'> => {
  const refuse = (text: string): GribError =>
    new GribError('UNSUPPORTED_PACKING', `5.${template} with ${text}`, 5, template);
  const missingManagement = view.getUint8(at + 22);
  if (missingManagement > 2) throw refuse(`missing value management ${missingManagement}`);
  const splitting = view.getUint8(at + 21);
  if (splitting > 1) throw refuse(`group splitting method ${splitting}`);
  const groups = view.getUint32(at + 31);
  if (groups > maxGroups)
    throw new GribError(
      'LIMIT_EXCEEDED',
      `5.${template}: ${groups} groups exceed the limit of ${maxGroups}`,
      5,
      template,
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

interface GribProduct {
  category: number;
  number: number;
  forecastHour: number;
  level: GribLevel;
}

/** Templates with the layout of 4.0 up to the second surface: analyses, ensembles and statistics. */
const templates = new Set([0, 1, 2, 8, 11, 12]);

/** Hours per unit in code table 4.4. */
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
const readProduct = (view: DataView, at: number, length: number): GribProduct => {
  if (length < 9) throw new GribError('BAD_STRUCTURE', 'section 4 is too short', 4);
  const template = view.getUint16(at + 7);
  if (!templates.has(template))
    throw new GribError(
      'UNSUPPORTED_PRODUCT',
      `product template 4.${template} is not supported`,
      4,
      template,
    );
  if (length < 34) throw new GribError('BAD_STRUCTURE', 'section 4 is too short', 4);
  const unit = view.getUint8(at + 17);
  const unitHours = hoursOfUnit[unit];
  if (unitHours === undefined)
    throw new GribError(
      'UNSUPPORTED_PRODUCT',
      `time unit ${unit} (code table 4.4) is not supported`,
      4,
      template,
    );
  return {
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
  // Dividing by a power of ten yields exactly 0.995.
  return { type, value: exponent >= 0 ? value / 10 ** exponent : value * 10 ** -exponent };
};

/** Maximum number of fields in one message. */
const maxFields = 4096;

interface Section {
  at: number;
  length: number;
}

interface MessageState {
  view: DataView;
  bytes: Uint8Array;
  message: number;
  offset: number;
  discipline: number;
  /** Current sections by number; 3 to 6 are inherited by later fields of the message. */
  sections: Map<number, Section>;
  /** Last bitmap in the message, for indicator 254. */
  bitmap: Uint8Array | null;
  fields: number;
}

/** Reads the sections of one framed message (from `GRIB` to `7777`) and yields its fields. */
export const readMessage = function* (
  bytes: Uint8Array,
  message: number,
  offset: number,
): Generator<GribEntry> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const state: MessageState = {
    view,
    bytes,
    message,
    offset,
    discipline: view.getUint8(6),
    sections: new Map(),
    bitmap: null,
    fields: 0,
  };
  const fault = (error: GribError): GribEntry => ({
    kind: 'fault',
    message,
    field: state.fields,
    offset,
    error,
  });
  const end = bytes.length - 4;
  let at = 16;
  let previous = 0;
  while (at < end) {
    const header = sectionHeader(view, at, end, previous);
    if (header instanceof GribError) {
      yield fault(header);
      return;
    }
    state.sections.set(header.number, { at, length: header.length });
    if (header.number === 7) {
      if (state.fields >= maxFields) {
        yield fault(new GribError('LIMIT_EXCEEDED', `more than ${maxFields} fields in a message`));
        return;
      }
      yield attempt(() => readField(state), fault);
      state.fields += 1;
    }
    previous = header.number;
    at += header.length;
  }
  if (previous !== 7)
    yield fault(new GribError('BAD_STRUCTURE', `the message ends after section ${previous}`));
};

const attempt = (read: () => GribField, fault: (error: GribError) => GribEntry): GribEntry => {
  try {
    return read();
  } catch (error) {
    if (error instanceof GribError) return fault(error);
    throw error;
  }
};

/** Section n may be followed by n + 1, sections 1 and 2 also by 3, and section 7 by a repetition from 2, 3 or 4. */
const sectionHeader = (
  view: DataView,
  at: number,
  end: number,
  previous: number,
): { number: number; length: number } | GribError => {
  if (at + 5 > end) return new GribError('BAD_STRUCTURE', 'octets left over before the end marker');
  const length = view.getUint32(at);
  const number = view.getUint8(at + 4);
  const follows =
    number === previous + 1 ||
    (previous === 1 && number === 3) ||
    (previous === 7 && number >= 2 && number <= 4);
  if (!follows || number > 7)
    return new GribError('BAD_STRUCTURE', `section ${number} may not follow section ${previous}`);
  if (length < 5 || at + length > end)
    return new GribError(
      'BAD_STRUCTURE',
      `section ${number} of ${length} octets extends beyond the message`,
      number,
    );
  return { number, length };
};

const sectionOf = (state: MessageState, number: number): Section => {
  const section = state.sections.get(number);
  if (!section) throw new GribError('BAD_STRUCTURE', `section ${number} is absent`, number);
  return section;
};

const readField = (state: MessageState): GribField => {
  const { view, bytes } = state;
  const gridSection = sectionOf(state, 3);
  const packingSection = sectionOf(state, 5);
  const dataSection = sectionOf(state, 7);
  const bitmapSection = sectionOf(state, 6);
  // Reads the bitmap even if this field is refused, since a later field may reuse it.
  const bitmap = readBitmap(state, bitmapSection, gridSection);
  const grid = readGrid(view, gridSection.at, gridSection.length);
  const product = readProduct(view, sectionOf(state, 4).at, sectionOf(state, 4).length);
  const packing = readPacking(view, packingSection.at, packingSection.length);
  const points = grid.ni * grid.nj;
  const packedValues = view.getUint32(packingSection.at + 5);
  if (bitmap === null ? packedValues !== points : packedValues > points)
    throw new GribError('BAD_DATA', `${packedValues} packed values for ${points} points`, 5);
  return {
    kind: 'field',
    message: state.message,
    field: state.fields,
    offset: state.offset,
    length: bytes.length,
    centre: centreOf(view, sectionOf(state, 1)),
    discipline: state.discipline,
    category: product.category,
    number: product.number,
    referenceTimeMs: referenceTime(view, sectionOf(state, 1)),
    forecastHour: product.forecastHour,
    level: product.level,
    grid,
    points,
    packedValues,
    packing,
    bitmap,
    bytes,
    dataStart: dataSection.at + 5,
    dataEnd: dataSection.at + dataSection.length,
  };
};

const readBitmap = (state: MessageState, section: Section, gridSection: Section): Uint8Array | null => {
  if (section.length < 6) throw new GribError('BAD_STRUCTURE', 'section 6 is too short', 6);
  const indicator = state.view.getUint8(section.at + 5);
  if (indicator === 255) return null;
  if (indicator === 0) state.bitmap = state.bytes.subarray(section.at + 6, section.at + section.length);
  else if (indicator !== 254)
    throw new GribError('UNSUPPORTED_BITMAP', `predefined bitmap ${indicator} is not supported`, 6);
  if (state.bitmap === null)
    throw new GribError('BAD_STRUCTURE', 'a bitmap is reused that was never defined', 6);
  if (gridSection.length >= 10 && state.bitmap.length * 8 < state.view.getUint32(gridSection.at + 6))
    throw new GribError('BAD_DATA', 'the bitmap is shorter than the grid', 6);
  return state.bitmap;
};

const centreOf = (view: DataView, section: Section): number => {
  if (section.length < 19) throw new GribError('BAD_STRUCTURE', 'section 1 is too short', 1);
  return view.getUint16(section.at + 5);
};

const referenceTime = (view: DataView, section: Section): number => {
  if (section.length < 19) throw new GribError('BAD_STRUCTURE', 'section 1 is too short', 1);
  const octet = (n: number): number => view.getUint8(section.at + n - 1);
  const [month, day, hour, minute, second] = [octet(15), octet(16), octet(17), octet(18), octet(19)] as const;
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60)
    throw new GribError('BAD_DATA', 'the reference time is not a date', 1);
  return Date.UTC(view.getUint16(section.at + 12), month - 1, day, hour, minute, second);
};

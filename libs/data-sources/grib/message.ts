import { GribError } from './error.ts';
import { signed } from './bits.ts';
import { readGrid } from './grid.ts';

/** One field in a message: its headers and its packed values. `decodeField` decodes them. */
export type GribField = ReturnType<typeof readField> & {
  kind: 'field';
  /** Message number in the file from 1; field index inside the message from 0. */
  message: number;
  field: number;
};

/** A field, or a field or message that cannot be decoded, with the known part of its headers. */
export type GribEntry = GribField | { kind: 'fault'; message: number; field: number; error: GribError };

export type ComplexPacking = Exclude<GribField['packing'], { template: 0 }>;

/** Maximum number of groups of complex packing: a 0.25 degree NCEP field has about 32 thousand. */
const maxGroups = 1_048_576;

const minLengthOf: Readonly<Record<number, number>> = { 0: 21, 2: 47, 3: 49 };

/** Reads section 5 (data representation). */
const readPacking = (section: DataView) => {
  const template = section.getUint16(9);
  const minLength = minLengthOf[template];
  if (minLength === undefined)
    throw new GribError('UNSUPPORTED_PACKING', `packing template 5.${template} is not supported`);
  if (section.byteLength < minLength)
    throw new GribError('BAD_STRUCTURE', `section 5 is too short for 5.${template}`);
  const scaled = readScale(section, template);
  return template === 0
    ? { template: 0 as const, ...scaled }
    : { ...readGroups(section, template === 3 ? 3 : 2), ...scaled };
};

/** Values are `base` + n `step`; `bits`: per value (5.0) or per group reference (5.2, 5.3). */
const readScale = (section: DataView, template: number) => {
  const decimal = 10 ** -signed(section, 17, 2);
  const base = section.getFloat32(11) * decimal;
  const step = 2 ** signed(section, 15, 2) * decimal;
  const bits = section.getUint8(19);
  if (!Number.isFinite(base) || !Number.isFinite(step))
    throw new GribError('BAD_DATA', 'reference value or scale factors are out of range');
  if (bits > 32) throw new GribError('UNSUPPORTED_PACKING', `5.${template} with ${bits} bits a value`);
  return { base, step, bits };
};

const readGroups = (section: DataView, template: 2 | 3) => {
  const refuse = (text: string): GribError =>
    new GribError('UNSUPPORTED_PACKING', `5.${template} with ${text}`);
  const missingManagement = section.getUint8(22);
  if (missingManagement > 2) throw refuse(`missing value management ${missingManagement}`);
  const splitting = section.getUint8(21);
  if (splitting > 1) throw refuse(`group splitting method ${splitting}`);
  const groups = section.getUint32(31);
  if (groups > maxGroups)
    throw new GribError('LIMIT_EXCEEDED', `5.${template}: ${groups} groups exceed the limit of ${maxGroups}`);
  const widthBits = section.getUint8(36);
  const lengthBits = section.getUint8(46);
  if (widthBits > 8 || lengthBits > 31) throw refuse(`${widthBits}-bit widths, ${lengthBits}-bit lengths`);
  const order = template === 3 ? section.getUint8(47) : 0;
  const extraOctets = template === 3 ? section.getUint8(48) : 0;
  if (template === 3 && order !== 1 && order !== 2) throw refuse(`differencing of order ${order}`);
  if (extraOctets > 4) throw refuse(`${extraOctets} extra octets`);
  return {
    template,
    /** 0 none, 1 primary missing values, 2 primary and secondary. */
    missingManagement,
    groups,
    widthReference: section.getUint8(35),
    widthBits,
    lengthReference: section.getUint32(37),
    lengthIncrement: section.getUint8(41),
    lastLength: section.getUint32(42),
    lengthBits,
    /** Order of spatial differencing: 0 for 5.2, else 1 or 2. */
    order,
    extraOctets,
  };
};

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

/** Reads section 4 (product definition). */
const readProduct = (section: DataView) => {
  const template = section.getUint16(7);
  if (!templates.has(template))
    throw new GribError('UNSUPPORTED_PRODUCT', `product template 4.${template} is not supported`);
  if (section.byteLength < 34) throw new GribError('BAD_STRUCTURE', 'section 4 is too short');
  const unit = section.getUint8(17);
  const unitHours = hoursOfUnit[unit];
  if (unitHours === undefined)
    throw new GribError('UNSUPPORTED_PRODUCT', `time unit ${unit} (code table 4.4) is not supported`);
  return {
    category: section.getUint8(9),
    number: section.getUint8(10),
    /** The start of the interval for accumulations and means. */
    forecastHour: signed(section, 18, 4) * unitHours,
    level: readLevel(section, 22),
  };
};

/** First fixed surface; `value` is null when the file marks it missing. Isobaric levels (type 100) are in Pa. */
const readLevel = (view: DataView, at: number): { type: number; value: number | null } => {
  const type = view.getUint8(at);
  const factor = view.getUint8(at + 1);
  const scaled = view.getUint32(at + 2);
  if (type === 255 || factor === 255 || scaled === 0xffffffff) return { type, value: null };
  const exponent = signed(view, at + 1, 1);
  const value = signed(view, at + 2, 4);
  // Dividing by a power of ten yields exactly 0.995.
  return { type, value: exponent >= 0 ? value / 10 ** exponent : value * 10 ** -exponent };
};

/** Maximum number of fields in one message. */
const maxFields = 4096;

/** Current sections by number; 3 to 6 are inherited by later fields of the message. */
type Sections = ReadonlyMap<number, DataView>;

const sectionOf = (sections: Sections, number: number, minLength = 5): DataView => {
  const section = sections.get(number);
  if (!section) throw new GribError('BAD_STRUCTURE', `section ${number} is absent`);
  if (section.byteLength < minLength) throw new GribError('BAD_STRUCTURE', `section ${number} is too short`);
  return section;
};

/** Reads the sections of one framed message (from `GRIB` to `7777`) and yields its fields. */
export const readMessage = function* (bytes: Uint8Array, message: number): Generator<GribEntry> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const sections = new Map<number, DataView>();
  let bitmap: Uint8Array | null = null;
  let field = 0;
  const fault = (error: unknown): GribEntry => {
    if (!(error instanceof GribError)) throw error;
    return { kind: 'fault', message, field, error };
  };
  const read = (): GribEntry => {
    try {
      return { kind: 'field', message, field, ...readField(view, sections, bitmap) };
    } catch (error) {
      return fault(error);
    }
  };
  let at = 16;
  let previous = 0;
  try {
    for (const end = bytes.length - 4; at < end;) {
      const { number, length } = sectionHeader(view, at, end, previous);
      const section = new DataView(bytes.buffer, bytes.byteOffset + at, length);
      sections.set(number, section);
      // Kept even if this field is refused, since a later field may reuse it.
      if (number === 6 && length > 5 && section.getUint8(5) === 0)
        bitmap = bytes.subarray(at + 6, at + length);
      if (number === 7) {
        if (field >= maxFields)
          throw new GribError('LIMIT_EXCEEDED', `more than ${maxFields} fields in a message`);
        yield read();
        field += 1;
      }
      previous = number;
      at += length;
    }
    if (previous !== 7) throw new GribError('BAD_STRUCTURE', `the message ends after section ${previous}`);
  } catch (error) {
    yield fault(error);
  }
};

/** Section n may be followed by n + 1, sections 1 and 2 also by 3, and section 7 by a repetition from 2, 3 or 4. */
const sectionHeader = (view: DataView, at: number, end: number, previous: number) => {
  if (at + 5 > end) throw new GribError('BAD_STRUCTURE', 'octets left over before the end marker');
  const length = view.getUint32(at);
  const number = view.getUint8(at + 4);
  const follows =
    number === previous + 1 ||
    (previous === 1 && number === 3) ||
    (previous === 7 && number >= 2 && number <= 4);
  if (!follows || number > 7)
    throw new GribError('BAD_STRUCTURE', `section ${number} may not follow section ${previous}`);
  if (length < 5 || at + length > end)
    throw new GribError('BAD_STRUCTURE', `section ${number} of ${length} octets extends beyond the message`);
  return { number, length };
};

/** `last`: the last bitmap in the message, for indicator 254. */
const readField = (message: DataView, sections: Sections, last: Uint8Array | null) => {
  const [gridSection, data] = [sectionOf(sections, 3, 14), sectionOf(sections, 7)];
  const bitmap = readBitmap(sectionOf(sections, 6, 6), last, gridSection.getUint32(6));
  const grid = readGrid(gridSection);
  const product = readProduct(sectionOf(sections, 4, 9));
  const packingSection = sectionOf(sections, 5, 11);
  const packing = readPacking(packingSection);
  const points = grid.ni * grid.nj;
  const packedValues = packingSection.getUint32(5);
  if (bitmap === null ? packedValues !== points : packedValues > points)
    throw new GribError('BAD_DATA', `${packedValues} packed values for ${points} points`);
  const identification = sectionOf(sections, 1, 19);
  const dataStart = data.byteOffset - message.byteOffset + 5;
  return {
    /** Originating centre (common code table C-11): 7 is NCEP. */
    centre: identification.getUint16(5),
    discipline: message.getUint8(6),
    ...product,
    /** Reference time of the data (cycle), milliseconds UTC. */
    referenceTimeMs: referenceTime(identification),
    grid,
    points,
    /** Fewer than points where a bitmap hides some. */
    packedValues,
    packing,
    /** Bitmap octets (one bit a point, 1 = present) or null. */
    bitmap,
    /** The message from the content of section 7, which has `dataOctets`. */
    data: new DataView(message.buffer, message.byteOffset + dataStart, message.byteLength - dataStart),
    dataOctets: data.byteLength - 5,
  };
};

const readBitmap = (section: DataView, last: Uint8Array | null, points: number): Uint8Array | null => {
  const indicator = section.getUint8(5);
  if (indicator === 255) return null;
  if (indicator !== 0 && indicator !== 254)
    throw new GribError('UNSUPPORTED_BITMAP', `predefined bitmap ${indicator} is not supported`);
  if (last === null) throw new GribError('BAD_STRUCTURE', 'a bitmap is reused that was never defined');
  if (last.length * 8 < points) throw new GribError('BAD_DATA', 'the bitmap is shorter than the grid');
  return last;
};

const referenceTime = (section: DataView): number => {
  const [month = 0, day = 0, hour = 0, minute = 0, second = 0] = [14, 15, 16, 17, 18].map((at) =>
    section.getUint8(at),
  );
  const isDate =
    month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour <= 23 && minute <= 59 && second <= 60;
  if (!isDate) throw new GribError('BAD_DATA', 'the reference time is not a date');
  return Date.UTC(section.getUint16(12), month - 1, day, hour, minute, second);
};

/** GRIB2 messages like those of a global forecast. */

/** A regular latitude-longitude grid, scanned eastwards from the north-west corner; degrees. */
export interface Grid {
  ni: number;
  nj: number;
  lat1?: number;
  lon1?: number;
  di?: number;
  dj?: number;
}

/** Identity of a field: parameter, level and time. */
export interface Product {
  category?: number;
  number?: number;
  level?: { type: number; scale: number; value: number };
  hour?: number;
  productTemplate?: number;
}

/** A big-endian number of `count` octets; sign and magnitude if `value` is negative. */
export const octets = (value: number, count: number): Buffer => {
  const out = Buffer.alloc(count);
  let rest = Math.abs(value);
  for (let i = count - 1; i >= 0; i--) {
    out[i] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  if (value < 0) out[0] = (out[0] ?? 0) | 0x80;
  return out;
};

export const section = (number: number, body: Buffer): Buffer =>
  Buffer.concat([octets(body.length + 5, 4), Buffer.from([number]), body]);

/** Section 1: an operational forecast cycle of NCEP. */
export const identificationBody = (cycleMs: number): Buffer => {
  const date = new Date(cycleMs);
  const time = [date.getUTCDate(), date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()];
  return Buffer.concat([
    Buffer.from([0, 7, 0, 0, 2, 1, 1]),
    octets(date.getUTCFullYear(), 2),
    Buffer.from([date.getUTCMonth() + 1, ...time, 0, 1]),
  ]);
};

/** An angle in section 3: millionths of a degree. */
export const microDegrees = (degrees: number): Buffer => octets(Math.round(degrees * 1e6), 4);

/** Section 3, template 3.0. */
export const gridBody = ({ ni, nj, lat1 = 90, lon1 = 0, di = 1, dj = 1 }: Grid): Buffer =>
  Buffer.concat([
    Buffer.from([0]),
    octets(ni * nj, 4),
    Buffer.from([0, 0, 0, 0, 6]),
    Buffer.alloc(15, 0xff),
    octets(ni, 4),
    octets(nj, 4),
    octets(0, 4),
    Buffer.alloc(4, 0xff),
    microDegrees(lat1),
    microDegrees(lon1),
    Buffer.from([0x30]),
    microDegrees(lat1 - dj * (nj - 1)),
    microDegrees((lon1 + di * (ni - 1)) % 360),
    microDegrees(di),
    microDegrees(dj),
    Buffer.from([0]),
  ]);

/** Section 4, template 4.0. */
export const productBody = (product: Product): Buffer => {
  const level = product.level ?? { type: 100, scale: 0, value: 25000 };
  return Buffer.concat([
    octets(0, 2),
    octets(product.productTemplate ?? 0, 2),
    Buffer.from([product.category ?? 2, product.number ?? 2, 2, 0, 96, 0, 0, 0, 1]),
    octets(product.hour ?? 6, 4),
    Buffer.from([level.type]),
    octets(level.scale, 1),
    octets(level.value, 4),
    Buffer.from([255, 0, 0, 0, 0, 0]),
  ]);
};

/** Adds sections 0 and 8. */
export const enclose = (sections: readonly Buffer[], discipline = 0): Buffer => {
  const body = Buffer.concat(sections);
  return Buffer.concat([
    Buffer.from('GRIB'),
    Buffer.from([0, 0, discipline, 2]),
    octets(16 + body.length + 4, 8),
    body,
    Buffer.from('7777'),
  ]);
};

const decimals = 2;

/** Template 5.0: hundredths above the minimum, in 16 bits each. */
const packed = (values: readonly number[]): Buffer[] => {
  const steps = values.map((value) => Math.round(value * 10 ** decimals));
  const lowest = Math.min(...steps);
  const reference = Buffer.alloc(4);
  reference.writeFloatBE(lowest);
  return [
    section(
      5,
      Buffer.concat([
        octets(values.length, 4),
        octets(0, 2),
        reference,
        octets(0, 2),
        octets(decimals, 2),
        Buffer.from([16, 0]),
      ]),
    ),
    section(6, Buffer.from([255])),
    section(7, Buffer.concat(steps.map((step) => octets(step - lowest, 2)))),
  ];
};

/** A field of a global forecast; values in storage order, rounded to hundredths. */
export const encodeField = (
  field: Product & { values: readonly number[]; grid: Grid; cycleMs: number },
): Buffer =>
  enclose([
    section(1, identificationBody(field.cycleMs)),
    section(3, gridBody(field.grid)),
    section(4, productBody(field)),
    ...packed(field.values),
  ]);

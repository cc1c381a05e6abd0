/** NOTAM texts that make an unbounded pattern quadratic or worse: one unit, repeated. */
export const hostileUnits: Readonly<Record<string, string>> = {
  commas: ',',
  spaces: ' ',
  digits: '1',
  slashes: '/',
  parentheses: '(',
  'unclosed tags': '<a',
  dots: '.',
  'line ends': '\n',
  'list marks': '- A',
  qualifiers: 'GRASS ',
  runways: 'RWY 09/27 AND ',
  closures: 'RWY 09/27 CLSD ',
  labels: 'TORA/',
  values: '2500/',
  distances: 'RWY 09 LDA 2500M ',
  parts: 'FIRST 100M ',
  exceptions: 'EXC: -',
  causes: 'DUE TO FOR ALL ',
  taxiways: 'TWY A, ',
  days: 'MON 0800-0900 ',
  dates: '09 ',
  items: 'A) ',
  French: 'PISTE 09 FERMEE ET ',
};

/** A sentence of the maximum length that is read. */
export const asSentence = (unit: string): string => `${unit.repeat(Math.ceil(1_400 / unit.length))}. `;

export const ofLength = (unit: string, length: number): string =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

export const notamHead =
  'A0001/26 NOTAMN\nQ) XXFF/QMRLC/IV/NBO/A/000/999/\nA) XXAA B) 2602010000 C) PERM\nE) ';

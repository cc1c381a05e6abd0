import type { RunwayStateGroup } from './groups.ts';

const statePattern = /^R(\d{2}[LCR]?)\/([\d/])([\d/])(\d{2}|\/\/)(\d{2}|\/\/)$/;
const state8DigitsPattern = /^(\d{2})([\d/])([\d/])(\d{2}|\/\/)(\d{2}|\/\/)$/;
const stateClearedPattern = /^(?:R(\d{2}[LCR]?)?\/|(\d{2}))CLRD(\d{1,2}|\/\/)?$/;
const stateClosedPattern = /^(?:R(\d{2}[LCR]?)?\/)?SNOCLO$/;

/** Millimetres of a depth code; codes 92 to 98 are 10 to 40 cm in steps of 5. */
const depthMm = (code: string): number | null => {
  if (code === '//') return null;
  const n = Number(code);
  if (n <= 90) return n;
  if (n >= 92 && n <= 98) return (n - 90) * 50;
  return null;
};

const digit = (c: string | undefined): number | null =>
  c === undefined || /^\/*$/.test(c) ? null : Number(c);

/** The old form numbers right-hand parallels from 51 (50 more than the runway). */
const oldDesignator = (code: string): string | null => {
  const n = Number(code);
  if (n === 88) return 'ALL';
  if (n === 99) return 'LAST';
  if (n >= 51 && n <= 86) return `${String(n - 50).padStart(2, '0')}R`;
  return n >= 1 && n <= 36 ? code : null;
};

const newDesignator = (code: string | undefined): string | null =>
  code === undefined ? null : code === '88' ? 'ALL' : code === '99' ? 'LAST' : code;

/** A runway state group in any of its four forms, or null. */
export const readRunwayState = (text: string): RunwayStateGroup | null => {
  const blank = {
    deposit: null,
    coverage: null,
    depthMm: null,
    braking: null,
    cleared: false,
    closed: false,
  };
  const closed = stateClosedPattern.exec(text);
  if (closed) return { kind: 'runwayState', ...blank, runway: newDesignator(closed[1]), closed: true };
  const cleared = stateClearedPattern.exec(text);
  if (cleared) {
    const runway = cleared[2] === undefined ? newDesignator(cleared[1]) : oldDesignator(cleared[2]);
    return { kind: 'runwayState', ...blank, runway, braking: digit(cleared[3]), cleared: true };
  }
  const current = statePattern.exec(text);
  const m = current ?? state8DigitsPattern.exec(text);
  if (!m) return null;
  const runway = current ? newDesignator(m[1]) : oldDesignator(m[1] ?? '');
  if (runway === null) return null;
  return {
    kind: 'runwayState',
    runway,
    deposit: digit(m[2]),
    coverage: digit(m[3]),
    depthMm: depthMm(m[4] ?? '//'),
    braking: digit(m[5]),
    cleared: false,
    closed: m[4] === '99',
  };
};

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

/** Runway of a group: `07L`, also as number plus 50 for a right-hand parallel, 88 all, 99 the last report; null: none. */
const designatorOf = (code: string): string | null => {
  if (code === '88') return 'ALL';
  if (code === '99') return 'LAST';
  const n = Number(code.slice(0, 2));
  if (n >= 51 && n <= 86) return /[LC]$/.test(code) ? null : `${String(n - 50).padStart(2, '0')}R`;
  return n >= 1 && n <= 36 ? code : null;
};

/** Reads a runway state group in any of its four forms, or returns null. */
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
  const cleared = stateClearedPattern.exec(text);
  const m = statePattern.exec(text) ?? state8DigitsPattern.exec(text);
  if (!closed && !cleared && !m) return null;
  const code = closed?.[1] ?? cleared?.[1] ?? cleared?.[2] ?? m?.[1];
  const runway = code === undefined ? null : designatorOf(code);
  if (code !== undefined && runway === null) return null;
  const group = { kind: 'runwayState', ...blank, runway } as const;
  if (closed) return { ...group, closed: true };
  if (cleared) return { ...group, braking: digit(cleared[3]), cleared: true };
  return {
    ...group,
    deposit: digit(m?.[2]),
    coverage: digit(m?.[3]),
    depthMm: depthMm(m?.[4] ?? '//'),
    braking: digit(m?.[5]),
    closed: m?.[4] === '99',
  };
};

import type { Reading } from './closures.ts';
import { lengthM } from './shortening.ts';
import { designatorPattern, designatorsIn, padDesignator, runwayList } from './text.ts';
import type { DistanceKind, RunwayEffect } from './types.ts';

const kinds: readonly DistanceKind[] = ['TORA', 'TODA', 'ASDA', 'LDA'];
const isKind = (text: string): text is DistanceKind => kinds.some((kind) => kind === text);
const kindsIn = (text: string): DistanceKind[] => text.split(/[^A-Z]+/).filter(isKind);

const label = String.raw`(?:TORA|TODA|ASDA|LDA)(?![A-Z])`;
const chain = String.raw`${label}(?:\s*(?:[\/=,-]|AND|:)?\s*${label})*`;
const number = String.raw`\(?(\d{1,2}[, ]?\d{3}(?:\.\d+)?|\d{2,4}(?:\.\d+)?)(?![\d:])\s*(M|FT)?(?![A-Z0-9])\)?`;
const glue = String.raw`(?:\s*(?:[:=-]|IS|ARE|NOW|TO READ|REMAINS?|UNCHANGED|CHANGED TO|REDUCED TO|AVBL|NEW)(?![A-Z]))*\s*`;
const name = String.raw`'?([A-Z]{1,2}\d{0,2}[A-Z]?|[A-Z]+)'?`;

const forms = {
  table: new RegExp(`(${label}(?:\\s+${label})+)\\s+(?=(?:RWY\\s*)?${designatorPattern}\\s)`, 'y'),
  row: new RegExp(
    `\\s*(?:RWY\\s*)?(${designatorPattern})((?:\\s+\\d{3,4}\\s*X\\s*\\d{2,3}\\s*M?)?)((?:\\s+\\d{3,4}(?:\\.\\d+)?\\s?(?:M|FT)?(?![A-Z0-9\\/]))+)`,
    'y',
  ),
  remaining: /REMAINING DISTANCES?(?: (?:FROM|FM))?/y,
  remainingPair: /([A-Z]{1,2}\d{0,2}[A-Z]?)\s*[=:]\s*(\d{3,4})\s*(M|FT)/y,
  namedIntersection: new RegExp(
    `(?:(?:FROM|FM|AT|VIA)\\s+)?(?:INTERSECTION|INT)\\s+(?:WITH\\s+)?(?:TWY\\s+)?(?!DEPARTURES?|TAKE|TKOF)${name}(?![A-Z0-9])|(?:FROM|FM)\\s+TWY\\s+${name}(?![A-Z0-9])`,
    'y',
  ),
  unnamedIntersection:
    /(?:INTERSECTION|INT) (?:DEPARTURES?|TAKE[ -]?OFFS?|TKOFS?)|START POINT|CODE [A-F](?: AND [A-F])? OPERATIONS/y,
  runways: new RegExp(runwayList, 'y'),
  chain: new RegExp(chain, 'y'),
  labelled: new RegExp(`\\s*:?\\s*(${designatorPattern})\\s*:?\\s+(?=\\d{3})${number}`, 'y'),
  value: new RegExp(`${glue}${number}`, 'y'),
};

type FormName = keyof typeof forms;
const match = (form: FormName, text: string, at: number): RegExpExecArray | null => {
  const expression = forms[form];
  expression.lastIndex = at;
  return expression.exec(text);
};

interface State {
  runways: string[];
  intersection: string | null;
  used: boolean;
  remaining: boolean;
}

const plausibleM = (valueM: number): boolean => valueM >= 200 && valueM <= 6_500;

/**
 * Declared distances. One pass over the text tracks the runway in scope; a value belongs to the labels directly
 * before it ("TORA/TODA/ASDA 768M", "TORA = TODA = LDA = 1888M", "LDA: 32L 370M", a flattened table). Values of
 * an intersection are kept separate. A label without a readable value is flagged. `isFeet` is the unit of
 * figures without one.
 */
export const readDistances = (text: string, isFeet: boolean): Reading => {
  const out: Reading = { effects: [], flags: [] };
  const state: State = { runways: [], intersection: null, used: false, remaining: false };
  let unread = false;
  const put = (runways: string[], labels: DistanceKind[], value: string, unit: string | undefined) => {
    const valueM = lengthM(value.replace(' ', ''), unit, isFeet);
    state.used = true;
    if (runways.length === 0 || !plausibleM(valueM)) {
      unread = true;
      return;
    }
    if (state.intersection === '') {
      out.flags.push('distances of a take-off position, not of the full runway');
      return;
    }
    for (const runway of runways)
      for (const distance of labels) out.effects.push(effectOf(runway, distance, valueM, state.intersection));
  };
  let at = 0;
  let labels: DistanceKind[] = [];
  while (at < text.length) {
    const before = text[at - 1] ?? ' ';
    if (/[A-Z0-9]/.test(before) && /[A-Z0-9]/.test(text[at] ?? '')) {
      at += 1;
      continue;
    }
    const table = match('table', text, at);
    const rows = table && readTable(text, at + table[0].length, kindsIn(table[1] ?? ''));
    if (rows && rows.effects.length > 0) {
      for (const row of rows.effects) put([row.runway], [row.distance], row.value, row.unit);
      out.flags.push('declared distances as a table: check the columns');
      at = rows.next;
      continue;
    }
    const remaining = match('remaining', text, at);
    if (remaining) {
      state.remaining = true;
      at += remaining[0].length;
      continue;
    }
    const named = match('namedIntersection', text, at);
    const unnamed = named ? null : match('unnamedIntersection', text, at);
    if (named || unnamed) {
      state.intersection = named?.[1] ?? named?.[2] ?? '';
      state.used = false;
      at += (named ?? unnamed)?.[0].length ?? 1;
      continue;
    }
    const list = match('runways', text, at);
    if (list) {
      state.runways = designatorsIn(list[0]);
      if (state.used) state.intersection = null;
      at += list[0].length;
      const value = labels.length > 0 ? match('value', text, at) : null;
      if (value) {
        put(state.runways, labels, value[1] ?? '', value[2]);
        at += value[0].length;
        labels = [];
      }
      continue;
    }
    const heads = match('chain', text, at);
    if (heads) {
      at += heads[0].length;
      // "(TORA / TODA)" only mentions them.
      if (before === '(' && text[at] === ')') continue;
      if (labels.length > 0) unread = true;
      labels = kindsIn(heads[0]);
      state.remaining = false;
      const ends = readLabelled(text, at);
      if (ends.pairs.length > 0) {
        for (const { runway, value, unit } of ends.pairs) put([runway], labels, value, unit);
        if (ends.pairs.length > 1)
          out.flags.push('declared distances listed by label: check the designators');
        at = ends.next;
        labels = [];
        continue;
      }
      const value = match('value', text, at);
      if (value) {
        put(state.runways, labels, value[1] ?? '', value[2]);
        at += value[0].length;
        labels = [];
      }
      continue;
    }
    const pair = state.remaining ? match('remainingPair', text, at) : null;
    if (pair) {
      const valueM = lengthM(pair[2] ?? '', pair[3], isFeet);
      for (const runway of state.runways)
        out.effects.push({ kind: 'intersectionDistance', runway, intersection: pair[1] ?? '', valueM });
      at += pair[0].length;
      continue;
    }
    at += 1;
  }
  if (unread || labels.length > 0) out.flags.push('a declared distance is mentioned but was not understood');
  return { effects: checked(out.effects, out.flags), flags: [...new Set(out.flags)] };
};

const effectOf = (
  runway: string,
  distance: DistanceKind,
  valueM: number,
  intersection: string | null,
): RunwayEffect =>
  intersection === null
    ? { kind: 'declaredDistance', runway, distance, valueM }
    : { kind: 'intersectionDistance', runway, intersection, valueM };

interface Cell {
  runway: string;
  distance: DistanceKind;
  value: string;
  unit: string | undefined;
}

/** Rows "04 657 X 100 M 657 657 657" under a single header. */
const readTable = (text: string, at: number, heads: DistanceKind[]): { effects: Cell[]; next: number } => {
  const effects: Cell[] = [];
  let next = at;
  for (let row = match('row', text, next); row; row = match('row', text, next)) {
    const values = [...(row[3] ?? '').matchAll(/(\d{3,4}(?:\.\d+)?)\s?(M|FT)?/g)];
    if (values.length !== heads.length) break;
    heads.forEach((distance, i) => {
      const [, value = '', unit] = values[i] ?? [];
      effects.push({ runway: padDesignator(row[1] ?? ''), distance, value, unit });
    });
    next += row[0].length;
  }
  return { effects, next };
};

/** ": 32L 450M 14R 450M" after a label. */
const readLabelled = (text: string, at: number) => {
  const pairs: { runway: string; value: string; unit: string | undefined }[] = [];
  let next = at;
  for (let item = match('labelled', text, next); item; item = match('labelled', text, next)) {
    pairs.push({ runway: padDesignator(item[1] ?? ''), value: item[2] ?? '', unit: item[3] });
    next += item[0].length;
  }
  return { pairs, next };
};

/** The same figure twice counts once; two different figures for one distance keep the shorter and are flagged. */
const checked = (effects: RunwayEffect[], flags: string[]): RunwayEffect[] => {
  const kept = new Map<string, RunwayEffect & { valueM: number }>();
  for (const effect of effects) {
    if (effect.kind !== 'declaredDistance' && effect.kind !== 'intersectionDistance') continue;
    const isFull = effect.kind === 'declaredDistance';
    const key = `${effect.runway} ${isFull ? effect.distance : `/${effect.intersection}`}`;
    const known = kept.get(key);
    if (known && isFull && known.valueM !== effect.valueM)
      flags.push(`two figures for ${key}: the shorter is used`);
    if (!known || effect.valueM < known.valueM) kept.set(key, effect);
  }
  return [...kept.values()];
};

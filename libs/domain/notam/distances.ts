import {
  inMetres,
  neighbour,
  nextIs,
  pairFigures,
  readCells,
  readLabels,
  readRunways,
  readValues,
  skip,
} from './distance-groups.ts';
import type { Cursor, Figure, Label, Value } from './distance-groups.ts';
import { distanceTokens, withLabels } from './distance-tokens.ts';
import type { DistanceToken } from './distance-tokens.ts';
import type { Interpretation, RunwayEffect } from './types.ts';

const isPlausible = (valueM: number): boolean => valueM >= 200 && valueM <= 6_500;

const nothingFound = () => ({
  figures: [] as (Figure & { intersection: string | null | undefined })[],
  positions: [] as { runway: string; name: string; value: Value }[],
  /** Counts that did not match: nothing in the text may be applied. */
  mismatches: 0,
  /** Labels without a value, and values without a label that may belong to them. */
  openLabels: 0,
  openValues: 0,
  /** Runways with a value but no label. */
  looseRows: 0,
  /** Rows that begin with a figure, as in a table without runways. */
  bareRows: 0,
  /** Current runways; `isOld` if they were named before the last full stop. */
  runways: [] as string[],
  isOld: false,
  intersection: undefined as string | null | undefined,
  isUsed: false,
  isRemaining: false,
});
type Found = ReturnType<typeof nothingFound>;

const addFigures = (found: Found, runways: string[], labels: Label[], values: Value[] | null): void => {
  const { intersection } = found;
  const figures = values && pairFigures(runways, labels, values);
  if (figures) found.figures.push(...figures.map((each) => ({ ...each, intersection })));
  else found.mismatches += 1;
  found.isUsed = true;
};

/** "RWY 09R 2500M, RWY 27L 2200M", or table rows below their header. */
const readRows = (cursor: Cursor, labels: Label[], found: Found): void => {
  for (let isFirst = true; nextIs(cursor, ['runway']); isFirst = false) {
    const start = cursor.at;
    skip(cursor);
    const head = cursor.tokens[cursor.at];
    const runways = readRunways(cursor);
    if (!nextIs(cursor, ['value', 'becomes', 'former'])) {
      if (!isFirst) cursor.at = start;
      else {
        found.openLabels += 1;
        found.runways = runways;
      }
      return;
    }
    const isTable = head?.t === 'runway' && head.isBare;
    const cells = isTable && labels.length > 1 ? readCells(cursor, labels.length) : null;
    skip(cursor);
    const values = cells ? cells.filter((cell) => cell !== null) : readValues(cursor);
    const columns = cells ? labels.filter((_, i) => cells[i] !== null) : labels;
    const hasUnit = !isTable && values?.[0]?.unit !== undefined;
    const isRow = columns.length === 1 || values?.length === columns.length || hasUnit;
    addFigures(found, runways, columns, isRow ? values : null);
    if (isTable) found.bareRows += cells ? 2 : 1;
    found.runways = runways;
    found.isOld = false;
  }
};

const behindValue = new Set(['FOR', 'ON', 'OF', 'IN']);

/** Figures may belong to the runway after them: "LDA 2500M FOR RWY 09", "LDA 1200M, RWY 24 850M". */
const isFollowedByRunway = ({ tokens, at }: Cursor): boolean => {
  const ahead = { tokens, at };
  skip(ahead);
  const word = tokens[ahead.at];
  const isLinked = word?.t === 'other' && behindValue.has(word.text);
  if (isLinked) ahead.at += 1;
  const hasRunway = tokens[ahead.at]?.t === 'runway' && readRunways(ahead).length > 0;
  skip(ahead);
  const next = tokens[ahead.at];
  return hasRunway && (isLinked || next === undefined || next.t === 'value' || next.t === 'end');
};

const readGroup = (cursor: Cursor, found: Found): void => {
  const isMention = isSign(cursor.tokens[cursor.at - 1], '(');
  const isFormer = neighbour(cursor.tokens, cursor.at, -1)?.t === 'former';
  const labels = readLabels(cursor);
  // "(TORA / TODA)" only mentions the labels.
  if (isMention && isSign(cursor.tokens[cursor.at], ')')) return;
  found.isRemaining = false;
  skip(cursor);
  if (cursor.tokens[cursor.at]?.t === 'runway') return readRows(cursor, labels, found);
  const hasValues = nextIs(cursor, ['value', 'becomes', 'former']);
  const values = hasValues ? readValues(cursor) : [];
  if (values?.length === 0) found.openLabels += 1;
  else if (values === null) found.mismatches += 1;
  // "OLD LDA 2200M"
  else if (!isFormer) {
    const isUnclear = found.isOld && found.runways.length > 1;
    addFigures(found, found.runways, labels, isUnclear ? null : values);
    if (isFollowedByRunway(cursor)) found.mismatches += 1;
  }
};

const isSign = (token: DistanceToken | undefined, sign: string): boolean =>
  token?.t === 'join' && token.sign === sign;

/** Rows after "SUPPLEMENTARY TKOF DISTANCES": "RWY32- NIL RWY14- 1749(5738)(1.6)". */
const skipSupplementary = (cursor: Cursor): void => {
  const kinds = new Set(['supplementary', 'runway', 'value', 'bracket', 'join']);
  for (let token = cursor.tokens[cursor.at]; token; token = cursor.tokens[cursor.at]) {
    if (!kinds.has(token.t) && !(token.t === 'other' && token.text === 'NIL')) return;
    cursor.at += 1;
  }
};

const lengthWords = new Set(['LENGTH', 'WIDTH', 'DIMENSIONS', 'DIMENSION', 'ELEV', 'ELEVATION', 'BY']);

/** A value at the start or directly after a runway may belong to the label after it. */
const isOpenValue = (tokens: readonly DistanceToken[], at: number): boolean => {
  const before = neighbour(tokens, at, -1);
  const after = neighbour(tokens, at, 1);
  return after?.t === 'label' && !(before?.t === 'other' && lengthWords.has(before.text));
};

const readTokens = (tokens: readonly DistanceToken[]): Found => {
  const found = nothingFound();
  const cursor: Cursor = { tokens, at: 0 };
  for (let token = tokens[0]; token; token = tokens[cursor.at]) {
    if (token.t === 'label') {
      readGroup(cursor, found);
      continue;
    }
    if (token.t === 'runway' && !token.isBare) {
      found.runways = readRunways(cursor);
      found.isOld = false;
      if (found.isUsed) found.intersection = undefined;
      if (nextIs(cursor, ['value'])) found.looseRows += 1;
      continue;
    }
    if (token.t === 'supplementary') {
      skipSupplementary(cursor);
      continue;
    }
    if (token.t === 'threshold') {
      // Next to another runway, a designator may only say where something is.
      found.runways = [...new Set([...found.runways, ...token.names])];
      found.isOld = found.runways.length > 1;
    } else if (token.t === 'intersection') {
      found.intersection = token.name;
      found.isUsed = false;
    } else if (token.t === 'remaining') found.isRemaining = true;
    else if (token.t === 'end') found.isOld = true;
    else if (token.t === 'position' && found.isRemaining) {
      cursor.at += 1;
      const [value, { name }] = [tokens[cursor.at], token];
      if (value?.t === 'value')
        found.positions.push(...found.runways.map((runway) => ({ runway, name, value })));
    } else if (token.t === 'value' && isOpenValue(tokens, cursor.at)) found.openValues += 1;
    cursor.at += 1;
  }
  return found;
};

const mention = /\b(?:TORA|TODA|ASDA|LDA|REMAINING DIST)/;
/** "START POINT RWY 15 (TORA 1885M) NOT AVBL": the published figure in brackets. */
const published =
  /\((?:TORA|TODA|ASDA|LDA)\b[^)]{0,40}\) ?(?:IS |ARE )?(?:NOT|CLSD|CLOSED|CANCELLED|WITHDRAWN|U\/S)\b/;
export const distanceNotUnderstood = 'a declared distance is mentioned but was not understood';

/**
 * Reads declared distances: splits the text into words and groups the words by labels, runways and values. If the
 * counts in one group do not match, nothing in the text is applied. Values from intersections are kept separate; labels
 * without a value are flagged. `isFeet`: figures without a unit are feet.
 */
export const readDistances = (whole: string, isFeet: boolean): Interpretation => {
  const text = withLabels(whole);
  const out: Interpretation = { effects: [], flags: [] };
  if (!mention.test(text)) return out;
  if (published.test(text)) return { effects: [], flags: [distanceNotUnderstood] };
  const found = readTokens(distanceTokens(text));
  const figures = found.figures.map((each) => ({ ...each, valueM: inMetres(each.value, isFeet) }));
  const isMisread =
    found.mismatches > 0 ||
    (found.openLabels > 0 && found.openValues > 0) ||
    figures.some(({ valueM }) => !isPlausible(valueM));
  if (isMisread) return { effects: [], flags: [distanceNotUnderstood] };
  for (const { runway, kind, valueM, intersection } of figures) {
    if (intersection === undefined)
      out.effects.push({ kind: 'declaredDistance', runway, distance: kind, valueM });
    else if (intersection === null)
      out.flags.push('distances of a take-off position, not of the full runway');
    else if (kind === 'TORA')
      out.effects.push({ kind: 'intersectionDistance', runway, intersection, valueM });
  }
  for (const { runway, name: intersection, value } of found.positions)
    out.effects.push({ kind: 'intersectionDistance', runway, intersection, valueM: inMetres(value, isFeet) });
  if (found.openLabels + found.looseRows > 0) out.flags.push(distanceNotUnderstood);
  if (found.bareRows > 1) out.flags.push('declared distances as a table: check the columns');
  return { effects: checked(out.effects, out.flags), flags: [...new Set(out.flags)] };
};

/** Merges repeated figures; of two different figures for one distance it keeps the shorter and flags both. */
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

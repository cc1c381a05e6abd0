import {
  neighbour,
  nextIs,
  readCells,
  readLabels,
  readRunways,
  readValues,
  skip,
} from './distance-groups.ts';
import type { Cursor } from './distance-groups.ts';
import { inMetres, pairFigures } from './distance-pairs.ts';
import type { Figure, Label, Value } from './distance-pairs.ts';
import { distanceTokens, withLabels } from './distance-tokens.ts';
import type { DistanceToken } from './distance-tokens.ts';
import type { Reading, RunwayEffect } from './types.ts';

const isPlausible = (valueM: number): boolean => valueM >= 200 && valueM <= 6_500;

interface State {
  runways: string[];
  /** The runways were named before the last full stop. */
  isOld: boolean;
  intersection: string | null | undefined;
  isUsed: boolean;
  remaining: boolean;
}

interface Found {
  figures: (Figure & { intersection: string | null | undefined })[];
  positions: { runway: string; name: string; value: Value }[];
  /** Numbers that did not fit: nothing of the text may be applied. */
  mismatches: number;
  /** Labels without a value, and values without a label that may be theirs. */
  openLabels: number;
  openValues: number;
  /** Runways with a value and without a label. */
  looseRows: number;
  /** Rows that begin with a figure alone, as in a table. */
  bareRows: number;
}

/** "RWY 09R 2500M, RWY 27L 2200M" or the rows of a table after its head. */
const readRows = (cursor: Cursor, labels: Label[], state: State, found: Found): void => {
  let isFirst = true;
  while (nextIs(cursor, ['runway'])) {
    const start = cursor.at;
    skip(cursor);
    const head = cursor.tokens[cursor.at];
    const runways = readRunways(cursor);
    if (!nextIs(cursor, ['value', 'becomes', 'former'])) {
      if (isFirst) found.openLabels += 1;
      cursor.at = isFirst ? cursor.at : start;
      state.runways = isFirst ? runways : state.runways;
      return;
    }
    const isTable = head?.t === 'runway' && head.isBare;
    const cells = isTable && labels.length > 1 ? readCells(cursor, labels.length) : null;
    skip(cursor);
    const values = cells ? cells.filter((cell) => cell !== null) : readValues(cursor);
    const columns = cells ? labels.filter((_, i) => cells[i] !== null) : labels;
    const hasUnit = !isTable && values?.[0]?.unit !== undefined;
    const isRow = columns.length === 1 || values?.length === columns.length || hasUnit;
    const figures = values && isRow ? pairFigures(runways, columns, values) : null;
    if (figures)
      found.figures.push(...figures.map((each) => ({ ...each, intersection: state.intersection })));
    else found.mismatches += 1;
    if (isTable) found.bareRows += cells ? 2 : 1;
    state.runways = runways;
    state.isOld = false;
    state.isUsed = true;
    isFirst = false;
  }
};

const behindValue = new Set(['FOR', 'ON', 'OF', 'IN']);

/** Figures may belong to the runway behind them: "LDA 2500M FOR RWY 09", "LDA 1200M, RWY 24 850M". */
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

const readGroup = (cursor: Cursor, state: State, found: Found): void => {
  const isMention = isOpening(cursor.tokens[cursor.at - 1]);
  const isFormer = neighbour(cursor.tokens, cursor.at, -1)?.t === 'former';
  const labels = readLabels(cursor);
  // "(TORA / TODA)" only mentions them.
  if (isMention && isClosing(cursor.tokens[cursor.at])) return;
  state.remaining = false;
  skip(cursor);
  if (cursor.tokens[cursor.at]?.t === 'runway') return readRows(cursor, labels, state, found);
  if (!nextIs(cursor, ['value', 'becomes', 'former'])) {
    found.openLabels += 1;
    return;
  }
  const values = readValues(cursor);
  if (!values || values.length === 0) {
    found[values ? 'openLabels' : 'mismatches'] += 1;
    return;
  }
  // "OLD LDA 2200M"
  if (isFormer) return;
  const isUnclear = state.isOld && state.runways.length > 1;
  const figures = isUnclear ? null : pairFigures(state.runways, labels, values);
  if (figures) found.figures.push(...figures.map((each) => ({ ...each, intersection: state.intersection })));
  else found.mismatches += 1;
  state.isUsed = true;
  if (isFollowedByRunway(cursor)) found.mismatches += 1;
};

const isOpening = (token: DistanceToken | undefined): boolean => token?.t === 'join' && token.sign === '(';
const isClosing = (token: DistanceToken | undefined): boolean => token?.t === 'join' && token.sign === ')';

/** The rows behind "SUPPLEMENTARY TKOF DISTANCES": "RWY32- NIL RWY14- 1749(5738)(1.6)". */
const skipSupplementary = (cursor: Cursor): void => {
  const kinds = new Set(['supplementary', 'runway', 'value', 'bracket', 'join']);
  for (let token = cursor.tokens[cursor.at]; token; token = cursor.tokens[cursor.at]) {
    if (!kinds.has(token.t) && !(token.t === 'other' && token.text === 'NIL')) return;
    cursor.at += 1;
  }
};

const lengthWords = new Set(['LENGTH', 'WIDTH', 'DIMENSIONS', 'DIMENSION', 'ELEV', 'ELEVATION', 'BY']);

/** A value directly after a runway or at the start, with a label behind it, may belong to that label. */
const isOpenValue = (tokens: readonly DistanceToken[], at: number): boolean => {
  const before = neighbour(tokens, at, -1);
  const after = neighbour(tokens, at, 1);
  return after?.t === 'label' && !(before?.t === 'other' && lengthWords.has(before.text));
};

const readTokens = (tokens: readonly DistanceToken[]): Found => {
  const found: Found = {
    figures: [],
    positions: [],
    mismatches: 0,
    openLabels: 0,
    openValues: 0,
    looseRows: 0,
    bareRows: 0,
  };
  const state: State = {
    runways: [],
    isOld: false,
    intersection: undefined,
    isUsed: false,
    remaining: false,
  };
  const cursor: Cursor = { tokens, at: 0 };
  while (cursor.at < tokens.length) {
    const token = tokens[cursor.at];
    if (token?.t === 'label') {
      readGroup(cursor, state, found);
      continue;
    }
    if (token?.t === 'runway' && !token.isBare) {
      state.runways = readRunways(cursor);
      state.isOld = false;
      if (state.isUsed) state.intersection = undefined;
      if (nextIs(cursor, ['value'])) found.looseRows += 1;
      continue;
    }
    if (token?.t === 'threshold') {
      // Next to another runway it may only be where something is.
      const names = [...new Set([...state.runways, ...token.names])];
      state.isOld = names.length > 1;
      state.runways = names;
    } else if (token?.t === 'intersection') {
      state.intersection = token.name;
      state.isUsed = false;
    } else if (token?.t === 'remaining') state.remaining = true;
    else if (token?.t === 'supplementary') {
      skipSupplementary(cursor);
      continue;
    } else if (token?.t === 'end') state.isOld = true;
    else if (token?.t === 'position' && state.remaining) {
      const value = tokens[cursor.at + 1];
      if (value?.t === 'value')
        for (const runway of state.runways) found.positions.push({ runway, name: token.name, value });
      cursor.at += 1;
    } else if (token?.t === 'value' && isOpenValue(tokens, cursor.at)) found.openValues += 1;
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
 * Declared distances: the text becomes words, the words become groups of labels, runways and values, and a group whose
 * numbers do not fit means that nothing of the text is applied. Values of an intersection are kept separate. A label
 * without a value is flagged. `isFeet` is the unit of figures without one.
 */
export const readDistances = (whole: string, isFeet: boolean): Reading => {
  const text = withLabels(whole);
  const out: Reading = { effects: [], flags: [] };
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
  for (const { runway, name, value } of found.positions)
    out.effects.push({
      kind: 'intersectionDistance',
      runway,
      intersection: name,
      valueM: inMetres(value, isFeet),
    });
  if (found.openLabels + found.looseRows > 0) out.flags.push(distanceNotUnderstood);
  if (found.bareRows > 1) out.flags.push('declared distances as a table: check the columns');
  return { effects: checked(out.effects, out.flags), flags: [...new Set(out.flags)] };
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

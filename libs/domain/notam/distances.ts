/** Reads declared distances: a grammar over one letter per token finds labels, runways and values that belong together. */
import { inMetres, pairFigures, valuesIn } from './distance-figures.ts';
import type { Figure, Label, Value } from './distance-figures.ts';
import { distanceTokens, withLabels } from './distance-tokens.ts';
import type { DistanceToken } from './distance-tokens.ts';
import { lettersOf, stickyPattern } from './vocabulary.ts';
import type { Interpretation, RunwayEffect } from './types.ts';

const isPlausible = (valueM: number): boolean => valueM >= 200 && valueM <= 6_500;

const sign = String.raw`/=,;:()&+a\-`;
/** Tokens without effect between a label, its runways and its values. */
const gap = `[${sign}fd]*`;
const list = '[RB](?:[/=,;&+a-]*[RB])*';

const labelRow = 'L(?:[/=,;:&+a-]*L)*';
/** "(TORA / TODA)" only mentions the labels. */
const mentionedLabels = stickyPattern`(?<=\()${labelRow}(?=\))`;
const labelForm = stickyPattern`${labelRow}`;
/** "OLD LDA 2200M" */
const formerLabel = stickyPattern`L(?<=o${gap}L)`;
const listForm = stickyPattern`${list}`;
const startOfRow = stickyPattern`${gap}[RB]`;
const anyRow = stickyPattern`${gap}${list}`;
const rowWithValues = stickyPattern`${gap}${list}(?=${gap}[Vbo])`;
const startOfValues = stickyPattern`${gap}[Vbo]`;
const valueForm = stickyPattern`${gap}(?=[Vbo])(?:[${sign}fbo]*[VK])*`;
const behindValues = stickyPattern`[${sign}fbo]*`;
/** The values may belong to a runway after them: "LDA 2500M FOR RWY 09", "LDA 1200M, RWY 24 850M". */
const runwayBehind = stickyPattern`${gap}(?:p[RB]|${list}${gap}(?:$|[VE]))`;
/** A value that may belong to the label after it. */
const openValue = stickyPattern`V(?<!w${gap}V)(?=${gap}L)`;
const valueNext = stickyPattern`${gap}V`;
/** Rows after "SUPPLEMENTARY TKOF DISTANCES": "RWY32- NIL RWY14- 1749(5738)(1.6)". */
const supplementary = stickyPattern`S[SRBVKn${sign}]*`;
const position = /P.?/y;
/** A table row with empty columns: "34L - - - 1493". */
const cellsOf = (columns: number): RegExp => stickyPattern`(?:K*[V-]){${String(columns)}}(?:K(?!V)|(?![KV]))`;

const isValue = (token: DistanceToken): token is Value => token.t === 'V';
const isRunway = ({ t }: DistanceToken): boolean => t === 'R' || t === 'B';

/** Runways of a list: "RWY 15/33 AND 07/25". Without a comma or "AND" a new list begins. */
const namesIn = (tokens: readonly DistanceToken[]): string[] => {
  let names: string[] = [];
  for (const [i, token] of tokens.entries())
    if (token.t === 'R' || token.t === 'B')
      names = i > 0 && isRunway(tokens[i - 1]!) ? token.names : [...names, ...token.names];
  return [...new Set(names)];
};

const readTokens = (tokens: readonly DistanceToken[]) => {
  const letters = lettersOf(tokens);
  const found = {
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
  };
  let at = 0;
  /** Current runways; `isOld` if they were named before the last full stop. */
  let runways: string[] = [];
  let isOld = false;
  let intersection: string | null | undefined;
  let isUsed = false;
  let isRemaining = false;

  const match = (form: RegExp): string | undefined => {
    form.lastIndex = at;
    return form.exec(letters)?.[0];
  };
  const isNext = (form: RegExp): boolean => match(form) !== undefined;
  /** The tokens of a form, which are read with that; null if it does not follow. */
  const take = (form: RegExp, isMeant: (text: string) => boolean = () => true): DistanceToken[] | null => {
    const text = match(form);
    if (text === undefined || !isMeant(text)) return null;
    at += text.length;
    return tokens.slice(at - text.length, at);
  };

  /** What is said of values after the last one counts: "2500M BECOMES". */
  const takeValues = (): Value[] | null => {
    const taken = take(valueForm);
    return taken && valuesIn([...taken, ...tokens.slice(at, at + (match(behindValues)?.length ?? 0))]);
  };

  const addFigures = (labels: Label[], values: Value[] | null): void => {
    const figures = values && pairFigures(runways, labels, values);
    if (figures) found.figures.push(...figures.map((each) => ({ ...each, intersection })));
    else found.mismatches += 1;
    isUsed = true;
  };

  /** "RWY 09R 2500M, RWY 27L 2200M", or table rows below their header. */
  const readRows = (labels: Label[]): void => {
    for (let row = take(anyRow); row; row = take(rowWithValues)) {
      runways = namesIn(row);
      if (!isNext(startOfValues)) {
        found.openLabels += 1;
        return;
      }
      const isTable = row.find(isRunway)?.t === 'B';
      const isPart = (text: string): boolean => text.includes('V') && text.includes('-');
      const taken = isTable && labels.length > 1 ? take(cellsOf(labels.length), isPart) : null;
      const cells = taken?.filter(({ t }) => t !== 'K');
      const values = cells ? cells.filter(isValue) : takeValues();
      const columns = cells ? labels.filter((_, i) => cells[i]?.t === 'V') : labels;
      const hasUnit = !isTable && values?.[0]?.unit !== undefined;
      const isRow = columns.length === 1 || values?.length === columns.length || hasUnit;
      addFigures(columns, isRow ? values : null);
      if (isTable) found.bareRows += cells ? 2 : 1;
      isOld = false;
    }
  };

  const readGroup = (): void => {
    if (take(mentionedLabels)) return;
    const isFormer = isNext(formerLabel);
    const labels = (take(labelForm) ?? []).filter((token) => token.t === 'L');
    isRemaining = false;
    if (isNext(startOfRow)) return readRows(labels);
    const values = isNext(startOfValues) ? takeValues() : [];
    if (values?.length === 0) found.openLabels += 1;
    else if (values === null) found.mismatches += 1;
    else if (!isFormer) {
      addFigures(labels, isOld && runways.length > 1 ? null : values);
      if (isNext(runwayBehind)) found.mismatches += 1;
    }
  };

  for (let token = tokens[0]; token; token = tokens[at]) {
    if (token.t === 'L') readGroup();
    else if (token.t === 'R') {
      runways = namesIn(take(listForm) ?? []);
      isOld = false;
      if (isUsed) intersection = undefined;
      if (isNext(valueNext)) found.looseRows += 1;
    } else if (token.t === 'P' && isRemaining) {
      const [, value] = take(position) ?? [];
      const { name } = token;
      if (value?.t === 'V') found.positions.push(...runways.map((runway) => ({ runway, name, value })));
    } else if (!take(supplementary)) {
      if (token.t === 'T') {
        // Next to another runway, a designator may only say where something is.
        runways = [...new Set([...runways, ...token.names])];
        isOld = runways.length > 1;
      } else if (token.t === 'I') {
        intersection = token.name;
        isUsed = false;
      } else if (token.t === 'M') isRemaining = true;
      else if (token.t === 'E') isOld = true;
      else if (isNext(openValue)) found.openValues += 1;
      at += 1;
    }
  }
  return found;
};

const mention = /\b(?:TORA|TODA|ASDA|LDA|REMAINING DIST)/;
/** "START POINT RWY 15 (TORA 1885M) NOT AVBL": the published figure in brackets. */
const published =
  /\((?:TORA|TODA|ASDA|LDA)\b[^)]{0,40}\) ?(?:IS |ARE )?(?:NOT|CLSD|CLOSED|CANCELLED|WITHDRAWN|U\/S)\b/;
export const distanceNotUnderstood = 'a declared distance is mentioned but was not understood';

/**
 * Reads declared distances. If the counts of labels, runways and values in one group do not match, nothing in the text
 * is applied. Values from intersections are kept separate; labels
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

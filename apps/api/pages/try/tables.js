/**
 * The distances and limits of a result as tables.
 * @import { Landing } from './api.js'
 * @import { System } from './units.js'
 */
import { make } from './dom.js';
import { withUnit } from './units.js';
import { wordOf } from './verdict.js';

/** Columns hidden on a phone. */
const minor = new Set(['±', 'Cooling']);

export const table = (caption, heads, rows) =>
  make(
    'table',
    {},
    make('caption', {}, caption),
    make(
      'thead',
      {},
      make(
        'tr',
        {},
        ...heads.map((head) => make('th', { scope: 'col', class: minor.has(head) ? 'minor' : null }, head)),
      ),
    ),
    make('tbody', {}, ...rows),
  );

/** A row; a cell is a text, or an element with its own class. */
export const row = (head, cells, name = '') =>
  make(
    'tr',
    { class: name || null },
    make('th', { scope: 'row' }, ...[head].flat()),
    ...cells.map((cell) => (cell instanceof HTMLTableCellElement ? cell : make('td', {}, cell))),
  );

/** A row with a reason in place of numbers. */
export const reasonRow = (head, reason, colspan) => row(head, [make('td', { colspan }, reason)]);

const marked = (name, text) => make('td', { class: name }, text);

/** Actual and required distance against the LDA, which is marked; `end` is the length of the bar. */
export const bar = ({ actual, needed, lda, end, tone }) => {
  const part = (name, length) => {
    const element = make('span', { class: name });
    element.style.width = `${(100 * length) / end}%`;
    return element;
  };
  const edge = make('span', { class: 'edge' });
  edge.style.left = `${(100 * lda) / end}%`;
  return make(
    'span',
    { class: `bar ${tone}`, 'aria-hidden': 'true' },
    part('needed', needed),
    part('actual', actual),
    edge,
  );
};

export const accuracyText = (accuracy) =>
  accuracy
    ? `± ${(accuracy.rms * 100).toFixed(1)} %${accuracy.quality === 'estimated' ? ', estimated' : ''}`
    : '–';

const coolingText = (schedule) => {
  const ground = schedule?.ground;
  if (ground === undefined) return '–';
  if (typeof ground === 'string') return ground === 'CAUTION' ? 'caution zone' : 'fuse plug melt zone';
  return ground === 0 ? 'none' : `${Math.ceil(ground)} min`;
};

/** @param {System} system @param {number} margin */
export const spareText = (system, margin) =>
  margin < 0 ? `\u2212${withUnit(system, 'distance', -margin)}` : withUnit(system, 'distance', margin);

/** @param {Landing} found @param {System} system */
const captionOf = ({ landingWeight, lda }, system) =>
  `Distances at ${withUnit(system, 'weight', landingWeight)} for an LDA of ${withUnit(system, 'distance', lda)}`;

/** One row per brake mode, the strongest first. @param {Landing} found @param {System} system */
export const modeTable = (found, system, chosen) => {
  const { lda, autobrakeLandingDist: modes = [], autobrakeNotPossible: others = [] } = found;
  const length = (value) => withUnit(system, 'distance', value);
  const end = Math.max(lda, ...modes.map(({ factoredDistance }) => factoredDistance));
  const rows = modes.map((mode) => {
    const { tone, text } = wordOf(mode);
    const { autobrakeValue, margin = 0 } = mode;
    const { unfactoredDistance: actual, factoredDistance: needed } = mode;
    return row(
      [mode.label, bar({ actual, needed, lda, end, tone })],
      [
        make('span', { class: `word ${tone}` }, text),
        length(actual),
        make('b', {}, length(needed)),
        marked(margin < 0 ? 'bad' : null, spareText(system, margin)),
        marked('minor', accuracyText(mode.accuracy)),
        marked('minor', coolingText(mode.brakeCoolingSchedule)),
      ],
      autobrakeValue === chosen ? 'chosen' : '',
    );
  });
  const unusable = others.map(({ label, reason }) => reasonRow(label, reason, 6));
  const heads = ['Braking', 'Verdict', 'Actual', 'Needed', 'Spare', '±', 'Cooling'];
  return table(captionOf(found, system), heads, [...rows, ...unusable]);
};

const distanceRow = (system, lda, title, value, accuracy) =>
  row(
    [
      title,
      bar({ actual: 0, needed: value, lda, end: Math.max(lda, value), tone: value > lda ? 'bad' : 'good' }),
    ],
    [
      make('b', {}, withUnit(system, 'distance', value)),
      marked(value > lda ? 'bad' : null, spareText(system, lda - value)),
      marked('minor', accuracyText(accuracy)),
    ],
  );

/** The certified distances at the maximum landing weight. @param {Landing} found @param {System} system */
export const dispatchTable = (found, system) => {
  const { lda, actualAccuracy } = found;
  const rows = [
    ['Required by the rules', found.requiredLandingDist, found.accuracy],
    ['In flight, with 15 %', found.factoredLandingDistance, actualAccuracy],
    ['In flight, actual', found.actualLandingDistance, actualAccuracy],
  ].filter(([, value]) => value !== undefined);
  return table(
    captionOf(found, system),
    ['Distance', 'Length', 'Spare', '±'],
    rows.map(([title, value, accuracy]) => distanceRow(system, lda, title, value, accuracy)),
  );
};

/** @param {Landing} found @param {System} system */
export const limitTable = (found, system) => {
  const { notLimiting = [] } = found;
  const rows = [
    ['Structure', 'structLandingWeight'],
    ['Runway length', 'fieldLimit'],
    ['Approach climb, one engine out', 'appClimbLimit'],
    ['Landing climb, all engines', 'ldgClimbLimit'],
    ['Tire speed', 'tireSpeed'],
    ['Quick turnaround', 'quickTurnWeight'],
  ]
    .map(([title, field]) => [title, found[field], field])
    .filter(([, value, field]) => value !== null || notLimiting.includes(field));
  const limiting = rows.find(([, value]) => value === found.landingWeight)?.[0];
  return table(
    'Weight limits',
    ['Limit', 'Greatest weight'],
    rows.map(([title, value]) =>
      row(
        title,
        [value === null ? 'Not limiting' : withUnit(system, 'weight', value)],
        title === limiting ? 'chosen' : '',
      ),
    ),
  );
};

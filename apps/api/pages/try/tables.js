/** The distances and limits of a result as tables. */
import { make } from './dom.js';
import { withUnit } from './units.js';
import { wordOf } from './verdict.js';

/** Columns that a phone has no room for. */
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

/** Actual and needed distance against the LDA, which has a line; `end` is the length of the whole bar. */
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

export const spareText = (system, margin) =>
  margin < 0 ? `\u2212${withUnit(system, 'distance', -margin)}` : withUnit(system, 'distance', margin);

/** One row a brake mode, the strongest first. */
export const modeTable = ({ performance }, system, chosen) => {
  const { lda, autobrakeLandingDist: modes = [], autobrakeNotPossible: others = [] } = performance;
  const length = (value) => withUnit(system, 'distance', value);
  const end = Math.max(lda, ...modes.map(({ factoredDistance }) => factoredDistance));
  const rows = modes.map((mode) => {
    const { tone, text } = wordOf(mode);
    const isChosen = mode.autobrakeValue === chosen;
    return make(
      'tr',
      { class: isChosen ? 'chosen' : null },
      make(
        'th',
        { scope: 'row' },
        mode.label,
        bar({ actual: mode.unfactoredDistance, needed: mode.factoredDistance, lda, end, tone }),
      ),
      make('td', {}, make('span', { class: `word ${tone}` }, text)),
      make('td', {}, length(mode.unfactoredDistance)),
      make('td', {}, make('b', {}, length(mode.factoredDistance))),
      make('td', { class: mode.margin < 0 ? 'bad' : null }, spareText(system, mode.margin)),
      make('td', { class: 'minor' }, accuracyText(mode.accuracy)),
      make('td', { class: 'minor' }, coolingText(mode.brakeCoolingSchedule)),
    );
  });
  const unusable = others.map(({ label, reason }) =>
    make('tr', {}, make('th', { scope: 'row' }, label), make('td', { colspan: 6 }, reason)),
  );
  const heads = ['Braking', 'Verdict', 'Actual', 'Needed', 'Spare', '±', 'Cooling'];
  return table(`Distances for an LDA of ${length(lda)}`, heads, [...rows, ...unusable]);
};

const distanceRow = (system, lda, title, value, accuracy) =>
  make(
    'tr',
    {},
    make(
      'th',
      { scope: 'row' },
      title,
      bar({ actual: 0, needed: value, lda, end: Math.max(lda, value), tone: value > lda ? 'bad' : 'good' }),
    ),
    make('td', {}, make('b', {}, withUnit(system, 'distance', value))),
    make('td', { class: value > lda ? 'bad' : null }, spareText(system, lda - value)),
    make('td', { class: 'minor' }, accuracyText(accuracy)),
  );

/** The certified distances at the greatest landing weight. */
export const dispatchTable = ({ performance: found }, system) => {
  const { lda, actualAccuracy } = found;
  const rows = [
    ['Required by the rules', found.requiredLandingDist, found.accuracy],
    ['In flight, with 15 %', found.factoredLandingDistance, actualAccuracy],
    ['In flight, actual', found.actualLandingDistance, actualAccuracy],
  ].filter(([, value]) => value !== undefined);
  return table(
    `Distances at ${withUnit(system, 'weight', found.landingWeight)} for an LDA of ${withUnit(system, 'distance', lda)}`,
    ['Distance', 'Length', 'Spare', '±'],
    rows.map(([title, value, accuracy]) => distanceRow(system, lda, title, value, accuracy)),
  );
};

export const limitTable = ({ performance: found }, system) => {
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
      make(
        'tr',
        { class: title === limiting ? 'chosen' : null },
        make('th', { scope: 'row' }, title),
        make('td', {}, value === null ? 'Not limiting' : withUnit(system, 'weight', value)),
      ),
    ),
  );
};

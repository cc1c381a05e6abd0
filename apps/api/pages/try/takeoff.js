/**
 * Speeds, limits and distances of a takeoff.
 * @import { Takeoff, Thrust } from './api.js'
 * @import { System } from './units.js'
 */
import { make } from './dom.js';
import { accuracyText, bar, row, spareText, table } from './tables.js';
import { withUnit } from './units.js';

const facts = (title, values) =>
  row(
    title,
    values.map((value) => make('b', {}, value)),
    'words',
  );
const fact = (title, value) => facts(title, [value]);

const speed = (value) => (value === null ? '–' : `${value} kt`);

const thrustName = ({ assumedTemperature }) =>
  assumedTemperature === null ? 'Full thrust' : `Reduced, ${assumedTemperature} °C`;

/** Full and reduced thrust as columns. @param {Takeoff} found */
const speedTable = ({ full, reduced, thrust, flap, rating }) => {
  const columns = [full, reduced].filter((column) => column !== null);
  const isUsed = (column) => (thrust === 'REDUCED') === (column === reduced);
  const range = ({ v1Min, v1Max }) =>
    v1Min === null || v1Max === null || v1Min > v1Max ? 'none' : `${v1Min} to ${v1Max} kt`;
  const by = (title, value) => facts(title, columns.map(value));
  return table(
    `Speeds with flaps ${flap}, rating ${rating}`,
    ['Speed', ...columns.map((of) => `${thrustName(of)}${isUsed(of) ? ' (used)' : ''}`)],
    [
      by('V1', ({ v1 }) => speed(v1)),
      by('V1 possible', range),
      by('VR', ({ vR }) => speed(vR)),
      by('V2', ({ v2 }) => speed(v2)),
      by('Thrust reduction', ({ thrustReduction }) => `${thrustReduction} %`),
      by('Climb, engine out', ({ secondSegmentGradient }) => `${secondSegmentGradient} %`),
      by(
        'Climb, all engines',
        ({ allEnginesGradient, allEnginesFtPerNm }) =>
          `${allEnginesGradient} %, ${allEnginesFtPerNm.toLocaleString('en')} ft/NM`,
      ),
      by('Brakes cool after a stop', ({ stopCooling: { ground } }) =>
        typeof ground === 'number' ? `${Math.ceil(ground)} min` : ground.toLowerCase(),
      ),
    ],
  );
};

/** @param {Takeoff} found @param {System} system */
const distanceTable = (found, system) => {
  const length = (value) => (value === null ? '–' : withUnit(system, 'distance', value));
  const columns = [found.full, found.reduced].filter((column) => column !== null);
  const rows = columns.flatMap((column) =>
    [
      ['Engine out', 'eogd', 'toda'],
      ['Stop', 'asd', 'asda'],
      ['All engines', 'agd', 'toda'],
    ].map(([title, field, available]) => {
      const [needed, most, spare] = [column[field], found[available], column[`${field}Margin`]];
      const isLong = needed === null || spare < 0;
      const end = Math.max(most, needed ?? 0);
      return row(
        [
          `${title}, ${column.assumedTemperature === null ? 'full' : 'reduced'}`,
          bar({ actual: 0, needed: needed ?? end, lda: most, end, tone: isLong ? 'bad' : 'good' }),
        ],
        [
          make('b', {}, length(needed)),
          `${length(most)} ${available.toUpperCase()}`,
          make('td', { class: isLong ? 'bad' : null }, spare === null ? '–' : spareText(system, spare)),
        ],
      );
    }),
  );
  return table('Distances', ['Distance', 'Needed', 'Available', 'Spare'], rows);
};

/** @type {[string, keyof Takeoff['limits'], string | null][]} */
const limitNames = [
  ['Structure', 'structural', 'STRUCT'],
  ['Runway length', 'field', 'FIELD'],
  ['Climb, one engine out', 'climb', 'CLIMB'],
  ['Obstacles', 'obstacle', 'OBSTACLE'],
  ['Tire speed', 'tire', 'TYRE'],
  ['Brakes', 'brakeEnergy', 'BRAKE'],
  // Not a maximum: below this weight VMCG determines V1 and VR.
  ['V1 is VMCG below', 'vmcMinimum', null],
];

/** @param {Takeoff} found @param {System} system */
const limitRows = ({ limits, limitedBy, accuracy, obstacles }, system) =>
  table(
    `Weight limits (${accuracyText(accuracy)})`,
    ['Limit', 'Greatest weight'],
    limitNames.flatMap(([title, field, code]) => {
      const weight = limits[field];
      if (weight === null && code === null) return [];
      const none = field === 'obstacle' && obstacles.considered === 0 ? 'Not considered' : 'Not limiting';
      const text = weight === null ? none : withUnit(system, 'weight', weight);
      return row(title, [text], code === limitedBy ? 'chosen' : '');
    }),
  );

/**
 * Flap retraction speeds and the climb without flaps; missing values have a reason. @param {Takeoff} found @param
 * {System} system
 */
const afterTakeoff = (found, system) => {
  const { flapSpeeds, cleanSpeed, finalSegmentGradient, requiredFinalGradient, notKnown } = found;
  const back = found.returnLanding;
  const why = (field) => notKnown.find((entry) => entry.field === field)?.reason;
  const missing = why('flapSpeeds');
  return table(
    'After takeoff',
    ['Flaps and climb', 'Value'],
    [
      ...flapSpeeds
        .filter(({ flap }) => flap !== 'UP')
        .map(({ flap, speed: kt }) => fact(`Flaps ${flap}`, speed(kt))),
      ...(missing === undefined ? [] : [fact('Flaps', missing)]),
      fact('Clean', cleanSpeed === null ? why('cleanSpeed') : speed(cleanSpeed)),
      fact(
        'Final segment, engine out',
        finalSegmentGradient === null
          ? why('finalSegmentGradient')
          : `about ${finalSegmentGradient} % (at least ${requiredFinalGradient} %)`,
      ),
      back &&
        fact(
          'Landing here again',
          back.limitWeight === null
            ? 'No weight can land'
            : `at most ${withUnit(system, 'weight', back.limitWeight)} (${back.limitedBy})${back.isOverweight ? ', now overweight' : ''}`,
        ),
    ],
  );
};

/** @param {Takeoff} found @param {System} system */
export const takeoffTables = (found, system) => [
  ...(found.full ? [speedTable(found), distanceTable(found, system)] : []),
  limitRows(found, system),
  ...(found.full ? [afterTakeoff(found, system)] : []),
];

/** Speeds, limits and distances of a takeoff. */
import { make } from './dom.js';
import { tile, windTile } from './tiles.js';
import { accuracyText, bar, spareText, table } from './tables.js';
import { withUnit } from './units.js';

const speed = (value) => (value === null ? '–' : `${value} kt`);

export const takeoffFigures = ({ performance: found }) => {
  const { v1, vR, v2, flap, rating, assumedTemperature, windComponents, engineFailureProcedure, rwycc } =
    found;
  return make(
    'dl',
    { class: 'figures' },
    tile('V1', speed(v1), 'Decision'),
    tile('VR', speed(vR), 'Rotation'),
    tile('V2', speed(v2), 'Engine out'),
    tile('Flaps', flap, 'For takeoff'),
    tile('Assumed', assumedTemperature === null ? 'none' : `${assumedTemperature} °C`, `Rating ${rating}`),
    windTile(windComponents),
    tile('RWYCC', String(rwycc), '6 dry to 1 poor'),
    tile(
      'Acceleration',
      `${engineFailureProcedure.accelerationAltitude.toLocaleString('en')} ft`,
      'Altitude, engine out',
    ),
  );
};

const thrustName = ({ assumedTemperature }) =>
  assumedTemperature === null ? 'Full thrust' : `Reduced, ${assumedTemperature} °C`;

/** Full and reduced thrust as columns. */
const speedTable = ({ full, reduced, thrust }) => {
  const columns = [full, reduced].filter((column) => column !== null);
  const isUsed = (column) => (thrust === 'REDUCED') === (column === reduced);
  const range = ({ v1Min, v1Max }) =>
    v1Min === null || v1Max === null || v1Min > v1Max ? 'none' : `${v1Min} to ${v1Max} kt`;
  const row = (title, value) =>
    make(
      'tr',
      { class: 'words' },
      make('th', { scope: 'row' }, title),
      ...columns.map((of) => make('td', {}, make('b', {}, value(of)))),
    );
  return table(
    'Speeds by thrust',
    ['Speed', ...columns.map((of) => `${thrustName(of)}${isUsed(of) ? ' (used)' : ''}`)],
    [
      row('V1', ({ v1 }) => speed(v1)),
      row('V1 possible', range),
      row('VR', ({ vR }) => speed(vR)),
      row('V2', ({ v2 }) => speed(v2)),
      row('Thrust reduction', ({ thrustReduction }) => `${thrustReduction} %`),
      row('Climb, engine out', ({ secondSegmentGradient }) => `${secondSegmentGradient} %`),
      row(
        'Climb, all engines',
        ({ allEnginesGradient, allEnginesFtPerNm }) =>
          `${allEnginesGradient} %, ${allEnginesFtPerNm.toLocaleString('en')} ft/NM`,
      ),
      row('Brakes cool after a stop', ({ stopCooling: { ground } }) =>
        typeof ground === 'number' ? `${Math.ceil(ground)} min` : ground.toLowerCase(),
      ),
    ],
  );
};

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
      return make(
        'tr',
        {},
        make(
          'th',
          { scope: 'row' },
          `${title}, ${column.assumedTemperature === null ? 'full' : 'reduced'}`,
          bar({ actual: 0, needed: needed ?? end, lda: most, end, tone: isLong ? 'bad' : 'good' }),
        ),
        make('td', {}, make('b', {}, length(needed))),
        make('td', {}, `${length(most)} ${available.toUpperCase()}`),
        make('td', { class: isLong ? 'bad' : null }, spare === null ? '–' : spareText(system, spare)),
      );
    }),
  );
  return table('Distances', ['Distance', 'Needed', 'Available', 'Spare'], rows);
};

const limitNames = [
  ['Structure', 'structural', 'STRUCT'],
  ['Runway length', 'field', 'FIELD'],
  ['Climb, one engine out', 'climb', 'CLIMB'],
  ['Obstacles', 'obstacle', 'OBSTACLE'],
  ['Tire speed', 'tire', 'TYRE'],
  ['Brakes', 'brakeEnergy', 'BRAKE'],
];

/** Not a greatest weight: below it V1 and VR are the minimum control speed. */
const vmcName = ['V1 is VMCG below', 'vmcMinimum', null];

const limitRows = ({ limits, limitedBy, accuracy, obstacles }, system) =>
  table(
    `Weight limits (${accuracyText(accuracy)})`,
    ['Limit', 'Greatest weight'],
    [...limitNames, ...(limits.vmcMinimum === null ? [] : [vmcName])].map(([title, field, code]) =>
      make(
        'tr',
        { class: code === limitedBy ? 'chosen' : null },
        make('th', { scope: 'row' }, title),
        make(
          'td',
          {},
          limits[field] === null
            ? field === 'obstacle' && obstacles.considered === 0
              ? 'Not considered'
              : 'Not limiting'
            : withUnit(system, 'weight', limits[field]),
        ),
      ),
    ),
  );

const fact = (title, value) =>
  make('tr', { class: 'words' }, make('th', { scope: 'row' }, title), make('td', {}, make('b', {}, value)));

/** Speeds of flap retraction and the climb without flaps; what is not known says why. */
const afterTakeoff = (found, system) => {
  const { flapSpeeds, cleanSpeed, finalSegmentGradient, requiredFinalGradient, notKnown } = found;
  const { limitWeight, limitedBy, isOverweight } = found.returnLanding;
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
      fact(
        'Landing here again',
        limitWeight === null
          ? 'No weight can land'
          : `at most ${withUnit(system, 'weight', limitWeight)} (${limitedBy})${isOverweight ? ', now overweight' : ''}`,
      ),
    ],
  );
};

export const takeoffTables = ({ performance: found }, system) => [
  ...(found.full ? [speedTable(found), distanceTable(found, system)] : []),
  limitRows(found, system),
  ...(found.full ? [afterTakeoff(found, system)] : []),
];

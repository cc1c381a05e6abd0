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
    tile('RWYCC', String(rwycc), 'Shown only'),
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
      {},
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
      row('Less thrust', ({ thrustReduction }) => `${thrustReduction} %`),
      row('Climb, engine out', ({ secondSegmentGradient }) => `${secondSegmentGradient} %`),
      row('Climb, all engines', ({ allEnginesFtPerNm }) => `${allEnginesFtPerNm} ft/NM`),
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

const limitRows = ({ limits, limitedBy, accuracy, obstacles }, system) =>
  table(
    `Weight limits (${accuracyText(accuracy)})`,
    ['Limit', 'Greatest weight'],
    limitNames.map(([title, field, code]) =>
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

export const takeoffTables = ({ performance: found }, system) => [
  ...(found.full ? [speedTable(found), distanceTable(found, system)] : []),
  limitRows(found, system),
];

/**
 * What would change the result: every code, flap or rating, and single changes.
 * @import { Landing, Possible, Takeoff } from './api.js'
 * @import { System } from './units.js'
 */
import { make } from './dom.js';
import { reasonRow, row, table } from './tables.js';
import { withUnit } from './units.js';
import { verdictText } from './verdict.js';

const signed = (system, kind, value) =>
  value === null ? '–' : `${value > 0 ? '+' : ''}${withUnit(system, kind, value)}`;

/** @param {NonNullable<Landing['assessment']>} assessment @param {System} system Needed distance and verdict by code, and the change of the distance with each change, by brake mode. */
const landingTables = ({ codes, worstCodes, sensitivity }, system) => {
  const heads = worstCodes.map(({ label }) => label);
  const cell = ({ factoredDistance, verdict }) =>
    factoredDistance === null
      ? verdictText(verdict)
      : `${withUnit(system, 'distance', factoredDistance)} ${verdictText(verdict)}`;
  return [
    table(
      'Needed distance by runway condition code',
      ['RWYCC', ...heads],
      [
        ...codes.map(({ rwycc, modes }) => row(String(rwycc), modes.map(cell))),
        row(
          'Fits down to',
          worstCodes.map(({ rwycc }) => (rwycc === null ? 'no code' : String(rwycc))),
        ),
      ],
    ),
    table(
      'Landing distance with one change',
      ['Change', ...heads],
      sensitivity.map(({ label, reason, modes }) =>
        reason === null
          ? row(
              label,
              modes.map(({ delta, verdict }) =>
                delta === null ? verdictText(verdict) : signed(system, 'distance', delta),
              ),
            )
          : reasonRow(label, reason, heads.length),
      ),
    ),
  ];
};

/** @param {NonNullable<Takeoff['assessment']>} assessment @param {System} system */
const takeoffTables = ({ flaps, ratings, sensitivity }, system) => {
  const figures = ({ maxTakeoffWeight, limitedBy, assumedTemperature, v1, vR, v2 }) => [
    maxTakeoffWeight === null ? '–' : `${withUnit(system, 'weight', maxTakeoffWeight)} ${limitedBy}`,
    assumedTemperature === null ? '–' : `${assumedTemperature} °C`,
    v1 === null ? '–' : `${v1}/${vR}/${v2}`,
  ];
  const heads = ['Greatest weight', 'Assumed', 'V1/VR/V2'];
  const byFlap = flaps.map((of) => row(of.flap, figures(of)));
  const byRating = ratings.map((of) => row(of.label, figures(of)));
  const changed = sensitivity.map((of) =>
    of.reason === null ? row(of.label, figures(of)) : reasonRow(of.label, of.reason, heads.length),
  );
  return [
    table('By flap', ['Flaps', ...heads], byFlap),
    table('By rating', ['Rating', ...heads], byRating),
    table('With one change', ['Change', ...heads], changed),
  ];
};

/** The tables of `assess: true`, which scroll where they are wider than the page. @param {Possible} answer @param {System} system */
export const assessmentTables = ({ performance: { assessment } }, system) => {
  if (!assessment) return [];
  const tables =
    'flaps' in assessment ? takeoffTables(assessment, system) : landingTables(assessment, system);
  return tables.map((element) =>
    make(
      'div',
      { class: 'wide', tabindex: 0, role: 'region', 'aria-label': element.caption.textContent },
      element,
    ),
  );
};

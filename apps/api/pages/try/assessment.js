/** What would change the result: every code, flap or rating, and single changes. */
import { make } from './dom.js';
import { table } from './tables.js';
import { withUnit } from './units.js';
import { verdictText } from './verdict.js';

const headed = (title, cells) =>
  make('tr', {}, make('th', { scope: 'row' }, title), ...cells.map((cell) => make('td', {}, cell)));

const signed = (system, kind, value) =>
  value === null ? '–' : `${value > 0 ? '+' : ''}${withUnit(system, kind, value)}`;

/** Needed distance and verdict by code, and the change of the distance with each change, by brake mode. */
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
        ...codes.map(({ rwycc, modes }) => headed(String(rwycc), modes.map(cell))),
        headed(
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
          ? headed(
              label,
              modes.map(({ delta, verdict }) =>
                delta === null ? verdictText(verdict) : signed(system, 'distance', delta),
              ),
            )
          : make(
              'tr',
              {},
              make('th', { scope: 'row' }, label),
              make('td', { colspan: heads.length }, reason),
            ),
      ),
    ),
  ];
};

const takeoffTables = ({ flaps, ratings, sensitivity }, system) => {
  const figures = ({ maxTakeoffWeight, limitedBy, assumedTemperature, v1, vR, v2 }) => [
    maxTakeoffWeight === null ? '–' : `${withUnit(system, 'weight', maxTakeoffWeight)} ${limitedBy}`,
    assumedTemperature === null ? '–' : `${assumedTemperature} °C`,
    v1 === null ? '–' : `${v1}/${vR}/${v2}`,
  ];
  const heads = ['Greatest weight', 'Assumed', 'V1/VR/V2'];
  return [
    table(
      'By flap',
      ['Flaps', ...heads],
      flaps.map((of) => headed(of.flap, figures(of))),
    ),
    table(
      'By rating',
      ['Rating', ...heads],
      ratings.map((of) => headed(of.label, figures(of))),
    ),
    table(
      'With one change',
      ['Change', ...heads],
      sensitivity.map((of) =>
        of.reason === null
          ? headed(of.label, figures(of))
          : make(
              'tr',
              {},
              make('th', { scope: 'row' }, of.label),
              make('td', { colspan: heads.length }, of.reason),
            ),
      ),
    ),
  ];
};

/** The tables of `assess: true`, which scroll where they are wider than the page. */
export const assessmentTables = ({ performance: { assessment } }, system) => {
  if (!assessment) return [];
  const tables = assessment.flaps ? takeoffTables(assessment, system) : landingTables(assessment, system);
  return tables.map((element) =>
    make(
      'div',
      { class: 'wide', tabindex: 0, role: 'region', 'aria-label': element.caption.textContent },
      element,
    ),
  );
};

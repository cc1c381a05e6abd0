/**
 * The result: verdict, distances against the runway, speeds, limits, cautions and the drawing.
 * @import { Landing, Possible, Takeoff } from './api.js'
 */
import { find, make } from './dom.js';
import { assessmentTables } from './assessment.js';
import { dispatchTable, limitTable, modeTable } from './tables.js';
import { takeoffTables } from './takeoff.js';
import { nameOf } from './settings.js';
import { listOf, verdictOf } from './verdict.js';

const place = () => find('#answer');

const tile = (title, value, meaning) =>
  make(
    'div',
    { class: 'figure' },
    make('dt', {}, title),
    make('dd', {}, make('b', {}, value), make('small', {}, meaning)),
  );

const windTile = ({ headwind, crosswind }) =>
  tile(
    headwind < 0 ? 'Tailwind' : 'Headwind',
    `${Math.round(Math.abs(headwind))} kt`,
    `Crosswind ${Math.round(Math.abs(crosswind))} kt`,
  );

/** Values not shown in a table. @param {Landing} found */
const landingTiles = ({ vApp, vRef, vrefLabel, vrefAdditive, flap, ldgGaClimbGrad }) => [
  tile(
    'VAPP',
    `${vApp} kt`,
    vrefAdditive === undefined ? 'Approach speed' : `${vrefAdditive} kt additive used`,
  ),
  tile(vrefLabel, `${vRef} kt`, `Flaps ${flap}`),
  tile('Go-around', `${ldgGaClimbGrad} %`, 'Climb gradient, one engine out'),
];

/** @param {Takeoff} found */
const takeoffTiles = ({ engineFailureProcedure: { accelerationAltitude } }) => [
  tile('Acceleration', `${accelerationAltitude.toLocaleString('en')} ft`, 'Altitude, engine out'),
];

/** @param {Landing | Takeoff} found */
const figures = (found) =>
  make(
    'dl',
    { class: 'figures' },
    ...('vApp' in found ? landingTiles(found) : takeoffTiles(found)),
    found.rwycc === undefined ? '' : tile('RWYCC', String(found.rwycc), 'Code used, 6 dry to 1 poor'),
    found.windComponents ? windTile(found.windComponents) : '',
  );

const cautions = ({ caution }) =>
  caution.length === 0
    ? ''
    : make(
        'section',
        { class: 'cautions', 'aria-labelledby': 'cautions-title' },
        make('h3', { id: 'cautions-title' }, 'Cautions'),
        make('ul', {}, ...caution.map((text) => make('li', {}, text))),
      );

/** @param {Possible} answer Uses this origin, since the API may name the service by another address. */
const drawing = ({ performance: { graphic } }, { airport, runway }) => {
  if (!graphic) return [];
  const isTakeoff = 'takeoff' in graphic;
  const picture = isTakeoff ? graphic.takeoff : (graphic.dispatch ?? graphic.factored);
  const alt = `Drawing of the ${isTakeoff ? 'takeoff' : 'landing distances'} on runway ${runway} of ${airport}`;
  const src = new URL(picture.svg).pathname;
  const figure = (from, name) =>
    make('figure', {}, make('img', { src: from, alt, class: `drawing ${name}` }));
  if (!isTakeoff) return [figure(src, '')];
  // The drawing repeats the tables and is too tall for an upright page; print puts it on a landscape sheet.
  return [
    make('details', { class: 'meanings' }, make('summary', {}, 'Drawing'), figure(src, 'screen')),
    figure(src.replace('takeoff.svg', 'takeoff-sheet.svg'), 'sheet'),
  ];
};

const button = (text, action) => {
  const element = make('button', { type: 'button', class: 'small' }, text);
  element.addEventListener('click', () => action(element));
  return element;
};

/** The clipboard API requires HTTPS or localhost; otherwise the text is shown, selected. */
const copy = (text, done) => async (element) => {
  try {
    await navigator.clipboard.writeText(text);
    element.textContent = done;
  } catch {
    const box = make('textarea', { 'aria-label': element.textContent, readonly: true, rows: 8 }, text);
    element.parentElement.after(box);
    box.select();
  }
};

const tools = (shared) =>
  make(
    'p',
    { class: 'tools' },
    button('Print', () => print()),
    button('Copy link', copy(shared.address, 'Link copied')),
    button('Copy as curl', copy(shared.curl, 'curl copied')),
  );

const meanings = [
  ['Actual', 'From 50 ft above the threshold to a full stop, with what was chosen, without any margin.'],
  [
    'Needed',
    'The actual distance with the margin that the rules require: in flight 15 %, at dispatch the factor of the rules.',
  ],
  ['Spare', 'What remains of the landing distance available (LDA) behind the distance needed.'],
  ['±', 'How close this model comes to published numbers of the type (RMS).'],
  ['Cooling', 'Minutes on the ground until the brakes may be used again as calculated.'],
];

const takeoffMeanings = [
  ['V1', 'The last speed at which a stop may begin: with a failure before it stop, after it go on.'],
  ['VR, V2', 'Rotation, and the speed to climb with after the failure of an engine.'],
  ['Assumed', 'Thrust as at this temperature: the highest at which every limit still holds (FLEX).'],
  ['Engine out', 'To 35 ft (15 ft on a wet runway) with the failure of an engine at V1.'],
  ['Stop', 'Accelerating to V1 and stopping from there.'],
  ['All engines', 'To 35 ft with all engines, times 1.15.'],
];

const explained = (list) =>
  make(
    'details',
    { class: 'meanings' },
    make('summary', {}, 'What the numbers mean'),
    make('dl', {}, ...list.flatMap(([name, text]) => [make('dt', {}, name), make('dd', {}, text)])),
  );

/** On a phone the result is below the fields. */
const bringIntoView = () => {
  const { top } = place().getBoundingClientRect();
  if (top < 0 || top > innerHeight / 2) find('#result').scrollIntoView({ block: 'start' });
};

/** Only printed: time and inputs of the calculation, and a link that repeats it. */
const record = ({ address, settings }) =>
  make(
    'section',
    { class: 'record', 'aria-label': 'Settings of this calculation' },
    make('p', {}, settings.map(([name, value]) => `${name}: ${value}`).join(' · ')),
    make('p', {}, `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC · ${address}`),
  );

/** @param {Possible} answer */
const bodyOf = (answer, { system }, mode) => {
  const { performance: found } = answer;
  if (answer.subCalculation === 'TAKEOFF')
    return [...takeoffTables(answer.performance, system), figures(found), explained(takeoffMeanings)];
  return [
    ...(answer.subCalculation === 'LANDING_DISPATCH'
      ? [dispatchTable(answer.performance, system), figures(found), limitTable(answer.performance, system)]
      : [modeTable(answer.performance, system, mode), figures(found)]),
    explained(meanings),
  ];
};

/** @param {Possible} answer */
export const showResult = (answer, values, shared) => {
  const { tone, title, text, mode } = verdictOf(answer, values);
  const parts = bodyOf(answer, values, mode);
  place().replaceChildren(
    make(
      'div',
      { class: `verdict ${tone}` },
      make('p', { class: 'what' }, `${values.title}, runway ${values.runway} of ${values.airport}`),
      make('p', { class: 'word' }, title),
      make('p', {}, text),
      values.assumed.length > 0 &&
        make('p', { class: 'assumptions' }, `Assumed: ${listOf(values.assumed.map(nameOf))}.`),
    ),
    record(shared),
    tools(shared),
    cautions(answer),
    ...parts.slice(0, -1),
    ...assessmentTables(answer, values.system),
    ...drawing(answer, values),
    ...parts.slice(-1),
    make('p', { class: 'hint' }, answer.disclaimer),
  );
  place().classList.remove('old');
  bringIntoView();
};

/** A case without an answer, or a failed call, in words. */
export const showFailure = (texts) => {
  place().replaceChildren(
    make(
      'div',
      { class: 'verdict none' },
      make('p', { class: 'word' }, 'No result'),
      ...texts.map((text) => make('p', {}, text)),
    ),
  );
  place().classList.remove('old');
  bringIntoView();
};

/** Marks the result as outdated: the inputs have changed. */
export const markOld = () => {
  if (find('.verdict', place())) place().classList.add('old');
};

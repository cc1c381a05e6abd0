/** The result: verdict, distances against the runway, speeds, limits, cautions and the drawing. */
import { find, make } from './dom.js';
import { assessmentTables } from './assessment.js';
import { dispatchTable, limitTable, modeTable } from './tables.js';
import { tile, windTile } from './tiles.js';
import { takeoffFigures, takeoffTables } from './takeoff.js';
import { withUnit } from './units.js';
import { nameOf } from './settings.js';
import { listOf, verdictOf } from './verdict.js';

const place = () => find('#answer');

const figures = ({ performance: found }, system) => {
  const { vRef, vApp, vrefLabel, vrefAdditive, landingWeight, lda, rwycc, windComponents } = found;
  const additive = vrefAdditive === undefined ? '' : `${vrefAdditive} kt additive used`;
  return make(
    'dl',
    { class: 'figures' },
    tile('VAPP', `${vApp} kt`, additive || 'Approach speed'),
    tile(vrefLabel, `${vRef} kt`, `Flaps ${found.flap}`),
    tile('LDA', withUnit(system, 'distance', lda), 'Landing distance available'),
    rwycc === undefined ? '' : tile('RWYCC', String(rwycc), 'Code used, 6 dry to 1 poor'),
    windComponents ? windTile(windComponents) : '',
    tile(
      'Weight',
      withUnit(system, 'weight', landingWeight),
      found.limitedBy ? 'Greatest possible' : 'At landing',
    ),
    tile('Go-around', `${found.ldgGaClimbGrad} %`, 'Climb gradient, one engine out'),
  );
};

const cautions = ({ caution }) =>
  caution.length === 0
    ? ''
    : make(
        'section',
        { class: 'cautions', 'aria-labelledby': 'cautions-title' },
        make('h3', { id: 'cautions-title' }, 'Cautions'),
        make('ul', {}, ...caution.map((text) => make('li', {}, text))),
      );

/** On this origin: the address may name the service as others see it. */
const drawing = ({ performance: { graphic } }, { airport, runway }) => {
  const picture = graphic?.takeoff ?? graphic?.dispatch ?? graphic?.factored;
  if (!picture) return [];
  const alt = `Drawing of the ${graphic.takeoff ? 'takeoff' : 'landing distances'} on runway ${runway} of ${airport}`;
  const src = new URL(picture.svg).pathname;
  const figure = (from, name) =>
    make('figure', {}, make('img', { src: from, alt, class: `drawing ${name}` }));
  if (!graphic.takeoff) return [figure(src, '')];
  // It has the numbers of the tables, and is too high for a page of its width: paper gets the same on a wide sheet.
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

/** The clipboard is closed to pages without HTTPS, except on this machine: then the text is shown, selected. */
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

/** For the printed page: when and with what this was calculated, and where to do it again. */
const record = ({ address, settings }) =>
  make(
    'section',
    { class: 'record', 'aria-label': 'Settings of this calculation' },
    make('p', {}, settings.map(([name, value]) => `${name}: ${value}`).join(' · ')),
    make('p', {}, `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC · ${address}`),
  );

const bodyOf = (answer, values, mode) => {
  const { system } = values;
  if (answer.subCalculation === 'TAKEOFF')
    return [takeoffFigures(answer), ...takeoffTables(answer, system), explained(takeoffMeanings)];
  const isDispatch = answer.subCalculation === 'LANDING_DISPATCH';
  return [
    isDispatch ? dispatchTable(answer, system) : modeTable(answer, system, mode),
    figures(answer, system),
    isDispatch ? limitTable(answer, system) : '',
    explained(meanings),
  ];
};

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

/** A case that has no answer, or a call that failed: in words. */
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

/** The inputs have changed since. */
export const markOld = () => {
  if (find('.verdict', place())) place().classList.add('old');
};

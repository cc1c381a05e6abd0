/** The form: choices that depend on the aircraft, values, and both in the page's address. */
import { find, findAll, make, showProblem } from './dom.js';
import { exact, exactText, parsed, remember, windOf } from './numbers.js';
import { fromMetric, toMetric, unitName, withUnit } from './units.js';

const form = () => find('#inputs');

/** Numeric fields, with the kind of their unit. */
export const numberKinds = {
  windDirection: 'direction',
  windSpeed: 'wind',
  gust: 'wind',
  temperature: 'temperature',
  qnh: 'pressure',
  depth: 'depth',
  landingWeight: 'weight',
  takeoffWeight: 'weight',
  vrefAdditive: 'speed',
};

/** Multi-value fields, separated by commas in the address. */
export const lists = ['mel', 'cdl'];

const checkedOf = (name) => findAll(`input[name="${name}"]:checked`).map(({ value }) => value);

export const values = () => {
  const data = new FormData(form());
  const several = lists.map((name) => [name, checkedOf(name).join(',')]);
  return { ...Object.fromEntries(data), ...Object.fromEntries(several) };
};
export const system = () => values().system;

/** Numbers in the form's units, at the precision entered. */
export const numbers = () =>
  Object.fromEntries(Object.entries(numberKinds).map(([name, kind]) => [name, exact(name, kind, system())]));

/** Fields with a value that neither the visitor nor a report supplied. */
export const assumed = () =>
  findAll('.field[data-assumed]')
    .filter((field) => !field.hidden && !field.closest('[hidden]'))
    .map(({ dataset }) => dataset.field);

const setAssumed = (name, isAssumed) => {
  const field = find(`[data-field="${name}"]`);
  if (field) field.toggleAttribute('data-assumed', isAssumed);
};

export const setValue = (name, value) => {
  if (lists.includes(name)) {
    const wanted = value.split(',');
    for (const box of findAll(`input[name="${name}"]`)) box.checked = wanted.includes(box.value);
    return;
  }
  const control = form().elements.namedItem(name);
  if (control instanceof RadioNodeList) {
    for (const radio of control) radio.checked = radio.value === value;
  } else if (control?.type === 'checkbox') control.checked = value === 'on';
  else if (control?.tagName === 'SELECT') {
    if ([...control.options].some((option) => option.value === value)) control.value = value;
  } else if (control) {
    control.value = value;
    // Decimals in the address always use a point.
    if (name in numberKinds) readNumber(name, Number(value));
  }
};

/** Stores the current text of a field, as entered in these units. */
export const readNumber = (name, value = NaN) => {
  const text = find(`#${name}`).value;
  remember(name, system(), Number.isNaN(value) ? parsed(numberKinds[name], text) : value);
  setAssumed(name, false);
};

/** Sets numbers given in metric units; null clears the field. `isAssumed`: neither entered nor reported. */
export const setNumbers = (metric, isAssumed = false) => {
  for (const [name, value] of Object.entries(metric)) {
    remember(name, 'metric', value ?? NaN);
    find(`#${name}`).value = exactText(name, numberKinds[name], system());
    setAssumed(name, isAssumed && value !== null);
  }
};

/** Sets the surface from a report; a runway closed by snow has none. */
export const setSurface = ({ state, depth }) => {
  if (state === null) return;
  setValue('state', state);
  if (depth > 0) setNumbers({ depth });
};

/** Splits a complete wind (260/15G25) entered in one field over all three. True if it was one. */
export const splitWind = (text) => {
  const wind = windOf(text);
  if (wind) setNumbers(wind);
  return wind !== null;
};

const optionOf = ({ value, description }) => make('option', { value }, description);

const fillSelect = (name, options, extra = []) => {
  const select = find(`#${name}`);
  const before = select.value;
  select.replaceChildren(...extra, ...options.map(optionOf));
  const preset = options.find(({ isDefault }) => isDefault)?.value;
  const first = extra.length > 0 ? '' : (preset ?? select.options[0]?.value ?? '');
  select.value = options.some(({ value }) => value === before) ? before : first;
};

export const showAircraft = (catalogue) => {
  const groups = Map.groupBy(catalogue, ({ model }) => model.manufacturer);
  find('#aircraft').replaceChildren(
    ...[...groups].map(([label, entries]) =>
      make(
        'optgroup',
        { label },
        ...entries.map(({ profile }) => make('option', { value: profile.file }, profile.title)),
      ),
    ),
  );
};

const conditions = ({ formData: { landing, takeoff } }) =>
  ({ dispatch: landing.conditionDispatch, inflight: landing.conditionEnroute, takeoff: takeoff.condition })[
    values().mode
  ];

/** Shows the depth only for a contaminated surface. */
export const showDepth = (aircraft) => {
  const chosen = conditions(aircraft).find(({ value }) => value === find('#state').value);
  const isNeeded = chosen?.requiresDepth === true;
  find('[data-field="depth"]').hidden = !isNeeded;
  if (isNeeded && find('#depth').value === '') setNumbers({ depth: 6 }, true);
};

const fillItems = (name, items) => {
  const before = values()[name].split(',');
  find(`#${name}`).replaceChildren(
    ...items.map(({ value, description }) => {
      const box = make('input', { type: 'checkbox', name, value });
      box.checked = before.includes(value);
      return make('label', { class: 'item' }, box, ` ${value} ${description}`);
    }),
  );
  find(`[data-field="${name}"]`).hidden = items.length === 0;
};

/** Shows the choices of this aircraft for this calculation. */
export const showOptions = (aircraft) => {
  const { landing, takeoff } = aircraft.formData;
  const { mode } = values();
  for (const part of findAll('[data-modes]')) part.hidden = !part.dataset.modes.split(' ').includes(mode);
  fillSelect('flap', mode === 'takeoff' ? takeoff.flap : landing.flap);
  fillSelect('reverser', landing.reversers);
  fillSelect('antiIce', mode === 'takeoff' ? takeoff.ai : landing.ai);
  fillSelect('rating', takeoff.rating);
  fillSelect('acBleed', takeoff.acBleed);
  fillSelect('improvedClimb', takeoff.improved);
  const modes = landing.autobrake.filter(({ value }) => value !== 'ALL');
  fillSelect('autobrake', modes, [make('option', { value: '' }, 'Compare all')]);
  fillSelect('nonNormal', landing.nonNormalConf);
  const { mel, cdl } = (mode === 'takeoff' ? takeoff : landing).inopitem;
  fillItems('mel', mel);
  fillItems('cdl', cdl);
  fillSelect('state', conditions(aircraft));
  showDepth(aircraft);
};

export const showUnits = () => {
  for (const place of findAll('[data-unit]')) place.textContent = unitName(system(), place.dataset.unit);
};

/** Shows entries in the units switched to; switching back restores the original text. */
export const convertNumbers = () => {
  for (const [name, kind] of Object.entries(numberKinds)) {
    const text = exactText(name, kind, system());
    if (text !== '') find(`#${name}`).value = text;
  }
};

const limitsOf = ({ weight, calculationLimit, landing }) => ({
  windDirection: [0, 360],
  windSpeed: [0, 99],
  gust: [0, 99],
  temperature: [calculationLimit.minTemperatureC, calculationLimit.maxTemperatureC],
  qnh: [calculationLimit.minQNHhPa, calculationLimit.maxQNHhPa],
  depth: [0, 150],
  landingWeight: [weight.oew, weight.mstow],
  takeoffWeight: [weight.oew, weight.mstow],
  vrefAdditive: [0, landing.vrefAdditiveMax],
});

const titles = {
  windDirection: 'The wind direction',
  windSpeed: 'The wind speed',
  gust: 'The gust',
  temperature: 'The temperature',
  qnh: 'The QNH',
  depth: 'The depth',
  landingWeight: 'The landing weight',
  takeoffWeight: 'The takeoff weight',
  vrefAdditive: 'The additive',
};

/** May be empty: a wind without gusts or direction, and limits without a weight. */
const mayBeEmpty = new Set(['gust', 'windDirection', 'takeoffWeight']);

/** Checks every visible number and focuses the first invalid field. True if all are valid. */
export const checkNumbers = (aircraft) => {
  /** @type {HTMLElement | undefined} */
  let first;
  for (const [name, [low, high]] of Object.entries(limitsOf(aircraft))) {
    const kind = numberKinds[name];
    const control = find(`#${name}`);
    const isEmpty = control.value.trim() === '';
    if (control.closest('[hidden]') || (isEmpty && mayBeEmpty.has(name))) continue;
    const value = toMetric(system(), kind, exact(name, kind, system()));
    const range = [low, high].map((limit) => withUnit(system(), kind, fromMetric(system(), kind, limit)));
    if (!isEmpty && value >= low - 0.5 && value <= high + 0.5) continue;
    const other = system() === 'metric' ? 'imperial' : 'metric';
    const otherwise = toMetric(other, kind, exact(name, kind, system()));
    const isOther = otherwise !== value && otherwise >= low && otherwise <= high;
    const question = isOther ? ` Is it in ${unitName(other, kind)}? Then switch the units.` : '';
    showProblem(name, `${titles[name]} must be ${range[0]} to ${range[1]}.${question}`);
    first ??= control;
  }
  first?.focus();
  return first === undefined;
};

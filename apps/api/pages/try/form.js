/** The fields: their choices from the aircraft, their values, and the same in the address of the page. */
import { find, findAll, make, showProblem } from './dom.js';
import { fieldText, fromMetric, toMetric, unitName, withUnit } from './units.js';

const form = () => find('#inputs');

/** Fields with a number, and the kind of its unit. */
export const numberKinds = {
  windDirection: 'direction',
  windSpeed: 'wind',
  temperature: 'temperature',
  qnh: 'pressure',
  depth: 'depth',
  landingWeight: 'weight',
  vrefAdditive: 'speed',
};

export const values = () => Object.fromEntries(new FormData(form()));
export const system = () => values().system;

export const setValue = (name, value) => {
  const control = form().elements.namedItem(name);
  if (control instanceof RadioNodeList) {
    for (const radio of control) radio.checked = radio.value === value;
  } else if (control?.tagName === 'SELECT') {
    if ([...control.options].some((option) => option.value === value)) control.value = value;
  } else if (control) control.value = value;
};

/** Sets numbers given in metric units; null clears the field. */
export const setNumbers = (metric) => {
  for (const [name, value] of Object.entries(metric))
    setValue(
      name,
      value === null
        ? ''
        : fieldText(system(), numberKinds[name], fromMetric(system(), numberKinds[name], value)),
    );
};

const optionOf = ({ value, description }) => make('option', { value }, description);

const fillSelect = (name, options, extra = []) => {
  const select = find(`#${name}`);
  const before = select.value;
  select.replaceChildren(...extra, ...options.map(optionOf));
  const preset = options.find(({ isDefault }) => isDefault)?.value;
  select.value = options.some(({ value }) => value === before)
    ? before
    : (preset ?? select.options[0]?.value ?? '');
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

const conditions = ({ formData: { landing } }) =>
  values().mode === 'dispatch' ? landing.conditionDispatch : landing.conditionEnroute;

/** Shows the depth only for a surface that has one. */
export const showDepth = (aircraft) => {
  const chosen = conditions(aircraft).find(({ value }) => value === find('#state').value);
  const isNeeded = chosen?.requiresDepth === true;
  find('[data-field="depth"]').hidden = !isNeeded;
  if (isNeeded && find('#depth').value === '') setNumbers({ depth: 6 });
};

/** The choices that this aircraft has for this kind of landing. */
export const showOptions = (aircraft) => {
  const { landing } = aircraft.formData;
  fillSelect('flap', landing.flap);
  fillSelect('reverser', landing.reversers);
  fillSelect('antiIce', landing.ai);
  const modes = landing.autobrake.filter(({ value }) => value !== 'ALL');
  fillSelect('autobrake', modes, [make('option', { value: '' }, 'Compare all')]);
  find('#autobrake').value = modes.some(({ value }) => value === values().autobrake)
    ? values().autobrake
    : '';
  fillSelect('state', conditions(aircraft));
  const isInFlight = values().mode === 'inflight';
  for (const name of ['autobrake', 'vrefAdditive']) find(`[data-field="${name}"]`).hidden = !isInFlight;
  showDepth(aircraft);
};

export const showUnits = () => {
  for (const place of findAll('[data-unit]')) place.textContent = unitName(system(), place.dataset.unit);
};

/** Converts what is in the fields, after the units were switched. */
export const convertNumbers = (from, to) => {
  for (const [name, kind] of Object.entries(numberKinds)) {
    const control = find(`#${name}`);
    const value = Number(control.value);
    if (control.value === '' || Number.isNaN(value) || from === to) continue;
    control.value = fieldText(to, kind, fromMetric(to, kind, toMetric(from, kind, value)));
  }
};

const limitsOf = ({ weight, calculationLimit, landing }) => ({
  windDirection: [0, 360],
  windSpeed: [0, 99],
  temperature: [calculationLimit.minTemperatureC, calculationLimit.maxTemperatureC],
  qnh: [calculationLimit.minQNHhPa, calculationLimit.maxQNHhPa],
  depth: [0, 150],
  landingWeight: [weight.oew, weight.mstow],
  vrefAdditive: [0, landing.vrefAdditiveMax],
});

const titles = {
  windDirection: 'The wind direction',
  windSpeed: 'The wind speed',
  temperature: 'The temperature',
  qnh: 'The QNH',
  depth: 'The depth',
  landingWeight: 'The landing weight',
  vrefAdditive: 'The additive',
};

/** Checks every visible number; the first field with a problem gets the focus. True: all are usable. */
export const checkNumbers = (aircraft) => {
  let first = null;
  for (const [name, [low, high]] of Object.entries(limitsOf(aircraft))) {
    const kind = numberKinds[name];
    const control = find(`#${name}`);
    if (control.closest('.field').hidden) continue;
    const value = toMetric(system(), kind, Number(control.value.replace(',', '.')));
    const range = [low, high].map((limit) => withUnit(system(), kind, fromMetric(system(), kind, limit)));
    const isFine = control.value.trim() !== '' && value >= low - 0.5 && value <= high + 0.5;
    if (isFine) continue;
    showProblem(name, `${titles[name]} must be ${range[0]} to ${range[1]}.`);
    first ??= control;
  }
  first?.focus();
  return first === null;
};

/** The calculator: what happens when something is chosen or changed, and the calculation. */
import { createSearch } from './airports.js';
import { CallError, call } from './api.js';
import { clearProblems, find, showProblem } from './dom.js';
import * as form from './form.js';
import { addressOf, addressValues, curlOf, fieldOf, requestOf } from './request.js';
import { markOld, showFailure, showResult } from './result.js';
import { bestRunway, chosenRunway, showRunways, showWinds } from './runways.js';
import { blockOf, loadMetar, weatherValues } from './weather.js';

const usual = '737-800-7B26';
const state = { aircraft: null, title: '', airport: null, metar: null, system: 'metric', hasResult: false };

const show = (error) => {
  if (!(error instanceof CallError)) throw error;
  const rest = error.problems.filter(({ field, text }) => {
    const name = fieldOf(field, text);
    return name === null || !showProblem(name, text);
  });
  if (rest.length > 0) showProblem('form', rest.map(({ text }) => text).join(' '));
};

/** Runs a reaction to an event; what the API refuses is shown in words. */
const react = (work) => async (event) => {
  try {
    await work(event);
  } catch (error) {
    show(error);
  }
};

const windNow = () => {
  const { windDirection, windSpeed } = form.values();
  const isKnown = windDirection !== '' && windSpeed !== '';
  return isKnown ? { direction: Number(windDirection), speed: Number(windSpeed) } : null;
};

const runwayNow = () => state.airport?.runways.find(({ ident }) => ident === chosenRunway());

/** On VREF the crew adds for the wind, 5 kt at least; VLS aircraft do so themselves. */
const needsAdditive = ({ vrefLabel }) => vrefLabel === 'VREF';
const leastAdditiveKt = 5;

const useMetar = () => {
  const block = blockOf(state.metar, chosenRunway());
  if (!block) return;
  form.setNumbers(weatherValues(block, runwayNow()?.trueBearing ?? 0));
  const { landing } = state.aircraft;
  if (needsAdditive(landing) && block.vrefAdd !== null)
    form.setNumbers({ vrefAdditive: Math.min(landing.vrefAdditiveMax, block.vrefAdd) });
  const isDispatch = form.values().mode === 'dispatch';
  const surface = isDispatch ? block.runwayConditionLandingDispatch : block.runwayConditionLandingEnroute;
  if (surface !== null) form.setValue('state', surface);
  form.showDepth(state.aircraft);
  showWinds(state.airport, windNow());
};

/** With the wind of the report, or calm. */
const reportedWind = () => {
  const block = blockOf(state.metar, '');
  return { direction: block?.windDir ?? 0, speed: block?.windDir === null ? 0 : (block?.windSpeed ?? 0) };
};

const loadAirport = async (icao, kept = {}) => {
  showProblem('airport', null);
  const known = search.byCode(icao);
  find('#airport-name').textContent = known?.name ?? '';
  const [{ airport }, metar] = await Promise.all([call('airport', { icao }), loadMetar(icao, useMetar)]);
  // Another one may have been chosen since.
  if (form.values().airport.toUpperCase() !== icao) return;
  Object.assign(state, { airport, metar });
  find('#airport-name').textContent = airport.name;
  showRunways(
    airport,
    state.system,
    kept.runway ?? bestRunway(airport.runways, windNow() ?? reportedWind())?.ident,
  );
  if (kept.windDirection === undefined) {
    form.setNumbers({ windDirection: 0, windSpeed: 0, temperature: 15, qnh: 1013 });
    useMetar();
  }
  showWinds(airport, windNow());
};

const loadAircraft = async (file) => {
  const { aircraft, availableAirport } = await call('aircraft', {
    aircraft: file,
    userRegistration: null,
    virtualAirline: null,
  });
  if (form.values().aircraft !== file) return;
  Object.assign(state, { aircraft, title: aircraft.profile.title });
  search.setList(availableAirport);
  form.showOptions(aircraft);
  form.setNumbers({
    landingWeight: aircraft.weight.mslw,
    vrefAdditive: Math.max(
      aircraft.landing.vrefAdditiveDefault,
      needsAdditive(aircraft.landing) ? leastAdditiveKt : 0,
    ),
  });
};

const changed = () => {
  markOld();
  showWinds(state.airport, windNow());
};

const search = createSearch(
  react(async ({ icao }) => {
    changed();
    await loadAirport(icao);
  }),
);

/** What must be chosen before there is anything to calculate. */
const checkChoices = (values) => {
  if (!state.airport || values.airport.toUpperCase() !== state.airport.icao)
    showProblem('airport', 'Choose an airport from the list.');
  else if (!values.runway) showProblem('runway', 'Choose a runway.');
  else return true;
  find('#airport').focus();
  return false;
};

const calculate = async () => {
  clearProblems();
  const values = { ...form.values(), title: state.title };
  if (!state.aircraft || !checkChoices(values) || !form.checkNumbers(state.aircraft)) return;
  if (find('[data-field="depth"]').hidden) delete values.depth;
  const button = find('#calculate');
  button.disabled = true;
  button.textContent = 'Calculating …';
  try {
    const request = requestOf(values);
    const answer = await call('performance', request);
    const address = addressOf(values);
    history.replaceState(null, '', address);
    state.hasResult = answer.calculationPossible;
    if (answer.calculationPossible) showResult(answer, values, { address, curl: curlOf(request) });
    else {
      showFailure(answer.error);
      show(
        new CallError(
          'NOT_POSSIBLE',
          answer.error.map((text) => ({ field: null, text })),
        ),
      );
    }
  } finally {
    button.disabled = false;
    button.textContent = 'Calculate';
  }
};

const switchUnits = async () => {
  const to = form.system();
  form.convertNumbers(state.system, to);
  state.system = to;
  form.showUnits();
  showRunways(state.airport, to, chosenRunway());
  showWinds(state.airport, windNow());
  // The numbers of the API, not converted ones.
  if (state.hasResult) await calculate();
};

const onChange = async ({ target }) => {
  changed();
  if (target.name === 'system') return switchUnits();
  if (target.name === 'aircraft') return loadAircraft(target.value);
  if (target.name === 'mode' && state.aircraft) form.showOptions(state.aircraft);
  if (target.name === 'state') form.showDepth(state.aircraft);
  return undefined;
};

const start = async () => {
  const given = addressValues();
  for (const name of ['mode', 'system']) if (given[name]) form.setValue(name, given[name]);
  state.system = form.system();
  form.showUnits();
  const { availableAircraft } = await call('allowedAircrafts', {});
  form.showAircraft(availableAircraft);
  form.setValue('aircraft', given.aircraft ?? usual);
  await loadAircraft(form.values().aircraft);
  for (const [name, value] of Object.entries(given)) if (name !== 'runway') form.setValue(name, value);
  form.showOptions(state.aircraft);
  form.setValue('autobrake', given.autobrake ?? '');
  if (!given.airport) return;
  await loadAirport(given.airport.toUpperCase(), given);
  if (given.runway && given.landingWeight) await calculate();
};

const inputs = find('#inputs');
inputs.addEventListener('submit', (event) => {
  event.preventDefault();
  void react(calculate)();
});
inputs.addEventListener('change', react(onChange));
inputs.addEventListener('input', changed);
void react(start)();

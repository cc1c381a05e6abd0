/**
 * The calculator: reactions to input, and the calculation.
 * @import { Output, Possible } from './api.js'
 */
import { createSearch, offerNearest, searchable } from './airports.js';
import { CallError, call, read } from './api.js';
import { clearProblems, find, showProblem } from './dom.js';
import * as form from './form.js';
import { remember } from './numbers.js';
import { addressOf, addressValues, curlOf, fieldOf, requestOf } from './request.js';
import { markOld, showFailure, showResult } from './result.js';
import { bestRunway, chosenRunway, showIntersections, showRunways, showWinds } from './runways.js';
import { settingsOf } from './settings.js';
import { blockOf, clearMetar, loadMetar, reportedQnh, surfaceOf, weatherValues } from './weather.js';

const usual = '737-800-7B26';
/** What the API assumes without a report or an entry. */
const usualWeather = { temperature: 15, qnh: 1013 };
/** @type {Record<string, any>} */
const state = { aircraft: null, title: '', airport: null, metar: null, hasResult: false, places: {} };

const show = (error) => {
  if (!(error instanceof CallError)) throw error;
  const rest = error.problems.filter(({ field, text }) => {
    const name = fieldOf(field, text);
    return name === null || !showProblem(name, text);
  });
  if (rest.length > 0) showProblem('form', rest.map(({ text }) => text).join(' '));
};

/** Wraps an event handler and shows API errors to the visitor. */
const react = (work) => async (event) => {
  try {
    await work(event);
  } catch (error) {
    show(error);
  }
};

const windNow = () => {
  const { windDirection: direction, windSpeed: speed } = form.numbers();
  return Number.isNaN(direction) || Number.isNaN(speed) ? null : { direction, speed };
};

const modeNow = () => form.values().mode;
const runwayNow = () => state.airport?.runways.find(({ ident }) => ident === chosenRunway());

/** For VREF aircraft the crew adds the wind correction, at least 5 kt; VLS aircraft include it. */
const needsAdditive = ({ vrefLabel }) => vrefLabel === 'VREF';
const leastAdditiveKt = 5;

const showRunwayList = (chosen) => {
  showRunways(state.airport, form.system(), modeNow(), chosen);
  showIntersections(runwayNow(), form.system());
  showWinds(state.airport, windNow());
};

const useMetar = () => {
  const block = blockOf(state.metar, chosenRunway());
  if (!block) return;
  form.setNumbers(weatherValues(block));
  const qnh = reportedQnh(state.metar);
  if (qnh) {
    remember('qnh', qnh.system, qnh.value);
    form.convertNumbers();
  }
  const { landing } = state.aircraft;
  if (needsAdditive(landing) && block.vrefAdd !== null)
    form.setNumbers({ vrefAdditive: Math.min(landing.vrefAdditiveMax, block.vrefAdd) });
  form.setSurface(surfaceOf(block, modeNow()));
  form.showDepth(state.aircraft);
  showWinds(state.airport, windNow());
};

/** The reported wind, or calm. */
const reportedWind = () => {
  const block = blockOf(state.metar, '');
  return { direction: block?.windDir ?? 0, speed: block?.windDir === null ? 0 : (block?.windSpeed ?? 0) };
};

const loadAirport = async (icao, kept = {}) => {
  showProblem('airport', null);
  find('#airport-name').textContent = search.byCode(icao)?.name ?? '';
  const [{ airport }, metar] = await Promise.all([call('airport', { icao }), loadMetar(icao, useMetar)]);
  // Another airport may have been chosen since.
  if (form.values().airport.toUpperCase() !== icao) return;
  Object.assign(state, { airport, metar });
  find('#airport-name').textContent = airport.name;
  showRunwayList(kept.runway ?? bestRunway(airport.runways, windNow() ?? reportedWind(), modeNow())?.ident);
  if (kept.runway && chosenRunway() !== kept.runway)
    showProblem('runway', `Runway ${kept.runway} is closed or not known. Choose another one.`);
  form.setValue('intersection', kept.intersection ?? '');
  if (kept.windSpeed === undefined) form.setNumbers({ windDirection: 0, windSpeed: 0, gust: null }, true);
  for (const [name, usualValue] of Object.entries(usualWeather))
    if (kept[name] === undefined) form.setNumbers({ [name]: usualValue }, true);
  if (!['windSpeed', ...Object.keys(usualWeather)].some((name) => name in kept)) useMetar();
  showWinds(airport, windNow());
};

/** Clears everything about the previous airport and offers codes near the unknown one. */
const unknownAirport = (typed, near) => {
  markOld();
  Object.assign(state, { airport: null, metar: null });
  find('#airport-name').textContent = '';
  clearMetar();
  showRunwayList('');
  if (typed === '') return showProblem('airport', null);
  showProblem('airport', `There is no airport ${typed.toUpperCase()} here.`);
  offerNearest(near, (airport) => search.choose(airport));
  return undefined;
};

const loadAircraft = async (file) => {
  const { aircraft, availableAirport } = await call('aircraft', {
    aircraft: file,
    userRegistration: null,
    virtualAirline: null,
  });
  if (form.values().aircraft !== file) return;
  Object.assign(state, { aircraft, title: aircraft.profile.title });
  search.setList(availableAirport.map((airport) => searchable(airport, state.places[airport.icao])));
  form.showOptions(aircraft);
  const { weight, landing } = aircraft;
  const vrefAdditive = Math.max(landing.vrefAdditiveDefault, needsAdditive(landing) ? leastAdditiveKt : 0);
  form.setNumbers({ landingWeight: weight.mslw, takeoffWeight: weight.mstow }, true);
  form.setNumbers({ vrefAdditive });
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
  unknownAirport,
);

/** Lists the choices still to be made before a calculation. */
const checkChoices = (values) => {
  if (!state.airport || values.airport.toUpperCase() !== state.airport.icao) {
    if (find('#airport-problem').hidden) showProblem('airport', 'Choose an airport from the list.');
  } else if (!values.runway) showProblem('runway', 'Choose a runway.');
  else return true;
  find('#airport').focus();
  return false;
};

/** @param {Output} answer @returns {answer is Possible} */
const isPossible = (answer) => answer.performance !== undefined;

const calculate = async () => {
  const values = { ...form.values(), title: state.title };
  if (state.airport) clearProblems();
  if (!state.aircraft || !checkChoices(values) || !form.checkNumbers(state.aircraft)) return;
  if (find('[data-field="depth"]').hidden) delete values.depth;
  const [numbers, assumed] = [form.numbers(), form.assumed()];
  const button = find('#calculate');
  button.disabled = true;
  button.textContent = 'Calculating …';
  try {
    const request = requestOf(values, numbers, assumed);
    const answer = await call('performance', request);
    const address = addressOf(values, numbers, assumed);
    history.replaceState(null, '', address);
    state.hasResult = isPossible(answer);
    const shared = { address, curl: curlOf(request), settings: settingsOf() };
    if (isPossible(answer)) showResult(answer, { ...values, numbers, assumed }, shared);
    else {
      const texts = answer.error ?? [];
      showFailure(texts);
      const problems = texts.map((text) => ({ field: null, text }));
      show(new CallError('NOT_POSSIBLE', problems));
    }
  } finally {
    button.disabled = false;
    button.textContent = 'Calculate';
  }
};

const switchUnits = async () => {
  form.convertNumbers();
  form.showUnits();
  showRunwayList(chosenRunway());
  // Recalculates instead of converting, so that the numbers are those of the API.
  if (state.hasResult) await calculate();
};

const switchMode = () => {
  form.showOptions(state.aircraft);
  showRunwayList(chosenRunway());
  const block = blockOf(state.metar, chosenRunway());
  if (block) form.setSurface(surfaceOf(block, modeNow()));
  form.showDepth(state.aircraft);
};

const onChange = async ({ target }) => {
  changed();
  if (target.name === 'system') return switchUnits();
  if (target.name === 'aircraft') return loadAircraft(target.value);
  if (target.name === 'mode' && state.aircraft) return switchMode();
  if (target.name === 'state') form.showDepth(state.aircraft);
  if (target.name === 'runway') showIntersections(runwayNow(), form.system());
  if (target.name.startsWith('wind')) form.splitWind(target.value);
  return changed();
};

const onInput = ({ target }) => {
  if (target.name in form.numberKinds) form.readNumber(target.name);
  changed();
};

const start = async () => {
  const given = addressValues();
  for (const name of ['mode', 'system']) if (given[name]) form.setValue(name, given[name]);
  form.showUnits();
  const [{ availableAircraft }, places] = await Promise.all([
    call('allowedAircrafts', {}),
    read('/try/airports'),
  ]);
  state.places = places;
  form.showAircraft(availableAircraft);
  form.setValue('aircraft', given.aircraft ?? usual);
  await loadAircraft(form.values().aircraft);
  for (const [name, value] of Object.entries(given)) if (name !== 'runway') form.setValue(name, value);
  form.showDepth(state.aircraft);
  form.convertNumbers();
  find('.failures').open =
    Boolean(given.nonNormal && given.nonNormal !== 'NONE') || Boolean(given.mel || given.cdl);
  if (!given.airport) return;
  const icao = search.byCode(given.airport)?.icao;
  if (!icao) {
    unknownAirport(given.airport, search.nearest(given.airport));
    return;
  }
  search.take(icao);
  await loadAirport(icao, given);
  if (chosenRunway() && chosenRunway() === given.runway) await calculate();
};

const inputs = find('#inputs');
inputs.addEventListener('submit', (event) => {
  event.preventDefault();
  void react(calculate)();
});
inputs.addEventListener('change', react(onChange));
inputs.addEventListener('input', onInput);
void react(start)();

/** The METAR of the airport, from which the weather fields are filled in. */
import { call } from './api.js';
import { find, make } from './dom.js';

const box = () => find('#metar');

export const clearMetar = () => box().replaceChildren();

/** The METAR part of the answer, or null; its text or the reason why there is none is shown above the fields. */
export const loadMetar = async (icao, onUse) => {
  box().replaceChildren('Reading the METAR …');
  const { metar, runwayReports } = await call('weather', { icao });
  if (!metar) {
    box().replaceChildren(`No METAR of ${icao} is known now: enter the weather yourself.`);
    return null;
  }
  const again = make('button', { type: 'button', class: 'small' }, 'Use METAR');
  again.addEventListener('click', onUse);
  box().replaceChildren(
    make('code', {}, metar.text),
    // The surface is proposed from them.
    ...runwayReports.map(({ text }) => make('code', {}, text)),
    metar.source === 'SIMULATED' ? make('b', { class: 'simulated' }, 'simulated') : '',
    again,
  );
  return metar;
};

/** The block of a runway, else any: temperature and QNH are the same for all. */
export const blockOf = (metar, ident) => {
  const blocks = metar?.metar2SVC ?? {};
  return blocks[ident.toLowerCase()] ?? Object.values(blocks)[0] ?? null;
};

/**
 * Field values of a block, metric; a wind without direction has none. Of the surface, what the report says for this
 * calculation; null: nothing.
 */
export const weatherValues = ({ windDir, windSpeed, gust, temp, qnh }) => ({
  windDirection: windDir,
  windSpeed: windSpeed ?? 0,
  gust,
  temperature: temp,
  qnh,
});

export const surfaceOf = ({ situation: { runwayConditions } }, mode) =>
  ({
    takeoff: runwayConditions.takeoffDispatch,
    dispatch: runwayConditions.landingDispatch,
    inflight: runwayConditions.landingEnroute,
  })[mode];

/** The QNH as it is in the report, A3002 or Q1016; null: it has none. */
export const reportedQnh = ({ text }) => {
  const [, unit, digits] = /\s([AQ])(\d{4})\b/.exec(text) ?? [];
  if (unit === undefined) return null;
  return unit === 'A'
    ? { system: 'imperial', value: Number(digits) / 100 }
    : { system: 'metric', value: Number(digits) };
};

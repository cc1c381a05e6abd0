/** Fills in the weather fields from the METAR of the airport. */
import { call } from './api.js';
import { find, make } from './dom.js';

const box = () => find('#metar');

export const clearMetar = () => box().replaceChildren();

/** The METAR part of the answer, or null; the report, or the reason why there is none, is shown above the fields. */
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
    // The proposed surface comes from these reports.
    ...runwayReports.map(({ text }) => make('code', {}, text)),
    metar.source === 'SIMULATED' ? make('b', { class: 'simulated' }, 'simulated') : '',
    again,
  );
  return metar;
};

/** The runway's block, else any: temperature and QNH are the same in all. */
export const blockOf = (metar, ident) => {
  const blocks = metar?.metar2SVC ?? {};
  return blocks[ident.toLowerCase()] ?? Object.values(blocks)[0] ?? null;
};

/**
 * A block as metric field values; a variable wind has no direction. The surface is the reported one for this
 * calculation, null if there is none.
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

/** The QNH as reported, A3002 or Q1016; null without one. */
export const reportedQnh = ({ text }) => {
  const [, unit, digits] = /\s([AQ])(\d{4})\b/.exec(text) ?? [];
  if (unit === undefined) return null;
  return unit === 'A'
    ? { system: 'imperial', value: Number(digits) / 100 }
    : { system: 'metric', value: Number(digits) };
};

/** The METAR of the airport, from which the weather fields are filled in. */
import { call } from './api.js';
import { find, make } from './dom.js';

const box = () => find('#metar');

/** The METAR part of the answer, or null; its text or the reason why there is none is shown above the fields. */
export const loadMetar = async (icao, onUse) => {
  box().replaceChildren('Reading the METAR …');
  const { metar } = await call('weather', { icao });
  if (!metar) {
    box().replaceChildren(`No METAR of ${icao} is known now: enter the weather yourself.`);
    return null;
  }
  const again = make('button', { type: 'button', class: 'small' }, 'Use METAR');
  again.addEventListener('click', onUse);
  box().replaceChildren(
    make('code', {}, metar.text),
    metar.source === 'SIMULATED' && make('b', { class: 'simulated' }, 'simulated'),
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
 * Field values of a block, metric; a variable wind is taken as a tailwind on the runway with this bearing, and of gusts
 * the steady wind.
 */
export const weatherValues = (block, trueBearing) => ({
  windDirection: block.windDir ?? Math.round((trueBearing + 180) % 360),
  windSpeed: block.windSpeed ?? 0,
  temperature: block.temp,
  qnh: block.qnh,
});

/** The request of the form, the same as a curl command, and as the address of the page. */
import { numberKinds } from './form.js';
import { systems } from './units.js';

const numberOf = (text) => Number(text.replace(',', '.'));

/** `data` of the query `performance`. The brake mode is not part of it: every mode is answered, for comparison. */
export const requestOf = (values) => {
  const isInFlight = values.mode === 'inflight';
  return {
    requestType: 'LANDING',
    landingMode: values.mode,
    units: systems[values.system],
    aircraft: { file: values.aircraft, userRegistration: null, virtualAirline: null },
    airport: values.airport.toUpperCase(),
    runway: values.runway,
    weather: {
      windDirection: Math.round(numberOf(values.windDirection)),
      windSpeed: Math.round(numberOf(values.windSpeed)),
      temperature: numberOf(values.temperature),
      qnh: numberOf(values.qnh),
    },
    runwayCondition: { state: values.state, ...(values.depth ? { depth: numberOf(values.depth) } : {}) },
    configuration: {
      flap: values.flap,
      reverser: values.reverser,
      antiIce: values.antiIce,
      ...(isInFlight ? { vrefAdditive: Math.round(numberOf(values.vrefAdditive)) } : {}),
    },
    weight: isInFlight ? { landingWeight: numberOf(values.landingWeight) } : {},
  };
};

/** The same call for a shell, with the token of the reader. */
export const curlOf = (data) => {
  const body = JSON.stringify({ query: 'performance', data }, null, 2).replaceAll("'", String.raw`'\''`);
  return `curl -s ${location.origin}/api \\
  -H 'content-type: application/json' \\
  -H "authorization: Bearer $TOKEN" \\
  -d '${body}'`;
};

const shared = [
  'mode',
  'system',
  'aircraft',
  'airport',
  'runway',
  'state',
  'flap',
  'autobrake',
  'reverser',
  'antiIce',
  ...Object.keys(numberKinds),
];

/** The address of the page with these inputs. */
export const addressOf = (values) => {
  const entries = shared.flatMap((name) => (values[name] ? [[name, values[name]]] : []));
  return `${location.origin}${location.pathname}?${new URLSearchParams(entries)}`;
};

/** The inputs of the address; unknown names are left out. */
export const addressValues = () => {
  const parameters = new URLSearchParams(location.search);
  return Object.fromEntries([...parameters].filter(([name]) => shared.includes(name)));
};

/** The field of the form for a wire name of the API, or for a sentence that begins with a quantity. */
export const fieldOf = (wireName, text) => {
  const name = wireName?.split('.').at(-1);
  if (name !== undefined && shared.includes(name)) return name;
  const words = [
    [/^Landing weight|^The landing weight/, 'landingWeight'],
    [/^Temperature/, 'temperature'],
    [/^QNH/, 'qnh'],
    [/wind/i, 'windSpeed'],
    [/depth/i, 'depth'],
    [/runway/i, 'runway'],
    [/airport/i, 'airport'],
  ];
  return words.find(([pattern]) => pattern.test(text))?.[1] ?? null;
};

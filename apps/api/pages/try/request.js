/** Builds the request from the form, as JSON, as a curl command, and as the page's address. */
import { find } from './dom.js';
import { lists, numberKinds } from './form.js';
import { fieldText, systems } from './units.js';

/** Six decimals are less than a milligram, so that switching units keeps the weight. */
const rounded = (value) => Number(value.toFixed(6));

/** Rounds weather as shown, so that field, answer, link and drawing agree. */
const shown = (system, numbers) =>
  Object.fromEntries(
    Object.entries(numbers).map(([name, value]) => [
      name,
      numberKinds[name] === 'weight' ? value : Number(fieldText(system, numberKinds[name], value)),
    ]),
  );

const isHidden = (name) => Boolean(find(`[data-field="${name}"]`)?.closest('[hidden]'));

/** `name: value`, or nothing without a value. */
const given = (name, value) =>
  value === undefined || value === '' || Number.isNaN(value) ? {} : { [name]: rounded(value) };

/** Leaves out assumed values, so that the answer says that they were assumed. */
const weatherOf = (numbers, assumed) => {
  const { windDirection, windSpeed, gust, temperature, qnh } = numbers;
  const has = (name) => !assumed.includes(name);
  return {
    ...(has('windSpeed')
      ? {
          windDirection: Number.isNaN(windDirection) ? null : Math.round(windDirection),
          ...given('windSpeed', windSpeed),
          ...given('gust', gust),
        }
      : {}),
    ...(has('temperature') ? given('temperature', temperature) : {}),
    ...(has('qnh') ? given('qnh', qnh) : {}),
  };
};

const listOf = (text) => (text ? text.split(',') : []);

const takeoffOf = (values, numbers) => ({
  requestType: 'TAKEOFF',
  ...(values.intersection ? { intersection: values.intersection } : {}),
  configuration: {
    flap: values.flap,
    rating: values.rating,
    assumedTemperature: values.thrust,
    antiIce: values.antiIce,
    acBleed: values.acBleed,
    improvedClimb: values.improvedClimb,
  },
  weight: given('takeoffWeight', numbers.takeoffWeight),
});

const landingOf = (values, numbers) => {
  const isInFlight = values.mode === 'inflight';
  return {
    requestType: 'LANDING',
    landingMode: values.mode,
    configuration: {
      flap: values.flap,
      reverser: values.reverser,
      antiIce: values.antiIce,
      ...(isInFlight ? { vrefAdditive: Math.round(numbers.vrefAdditive) } : {}),
      ...(isInFlight && values.nonNormal !== 'NONE' ? { nonNormalCondition: values.nonNormal } : {}),
    },
    weight: isInFlight ? { landingWeight: rounded(numbers.landingWeight) } : {},
  };
};

/** `data` for the query `performance`. Every brake mode is calculated, for comparison. */
export const requestOf = (values, entered, assumed) => {
  const numbers = shown(values.system, entered);
  const { configuration, weight, ...kind } =
    values.mode === 'takeoff' ? takeoffOf(values, numbers) : landingOf(values, numbers);
  const [mel, cdl] = [listOf(values.mel), listOf(values.cdl)];
  return {
    ...kind,
    units: systems[values.system],
    aircraft: { file: values.aircraft, userRegistration: null, virtualAirline: null },
    airport: values.airport.toUpperCase(),
    runway: values.runway,
    weather: weatherOf(numbers, assumed),
    runwayCondition: { state: values.state, ...(values.depth ? given('depth', numbers.depth) : {}) },
    configuration,
    weight,
    ...(mel.length + cdl.length > 0 ? { inopItems: { mel, cdl } } : {}),
    ...(values.assess ? { assess: true } : {}),
  };
};

/** The same call for a shell; the reader inserts a token. */
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
  'intersection',
  'state',
  'flap',
  'rating',
  'thrust',
  'acBleed',
  'improvedClimb',
  'autobrake',
  'reverser',
  'antiIce',
  'nonNormal',
  'assess',
  ...lists,
  ...Object.keys(numberKinds),
];

/** The page's address with these inputs; assumed values stay assumed. */
export const addressOf = (values, entered, assumed) => {
  const numbers = shown(values.system, entered);
  const entries = shared.flatMap((name) => {
    if (!values[name] || assumed.includes(name) || isHidden(name)) return [];
    return [[name, name in numberKinds ? String(rounded(numbers[name])) : values[name]]];
  });
  return `${location.origin}${location.pathname}?${new URLSearchParams(entries)}`;
};

/** The inputs in the address; unknown names are dropped. */
export const addressValues = () => {
  const parameters = new URLSearchParams(location.search);
  return Object.fromEntries([...parameters].filter(([name]) => shared.includes(name)));
};

/** The form field for a wire name, or for a sentence that starts with a quantity. */
export const fieldOf = (wireName, text) => {
  const name = wireName?.split('.').at(-1);
  if (name !== undefined && shared.includes(name)) return name;
  /** @type {[RegExp, string][]} */
  const words = [
    [/^Landing weight|^The landing weight/, 'landingWeight'],
    [/takeoff weight/i, 'takeoffWeight'],
    [/^Temperature/, 'temperature'],
    [/^QNH/, 'qnh'],
    [/wind/i, 'windSpeed'],
    [/depth/i, 'depth'],
    [/runway/i, 'runway'],
    [/airport/i, 'airport'],
  ];
  return words.find(([pattern]) => pattern.test(text))?.[1] ?? null;
};

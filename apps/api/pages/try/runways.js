/** The runways of an airport with landing distance and wind, one of which is chosen. */
import { find, findAll, make } from './dom.js';
import { fromMetric, withUnit } from './units.js';

const radians = (degrees) => (degrees * Math.PI) / 180;

/** Wind components of a runway, in the unit of the speed; headwind and wind from the right are positive. */
const windOn = (trueBearing, wind) => {
  const angle = radians(wind.direction - trueBearing);
  return { head: wind.speed * Math.cos(angle), cross: wind.speed * Math.sin(angle) };
};

const windText = ({ head, cross }) => {
  const along = Math.round(Math.abs(head));
  const across = Math.round(Math.abs(cross));
  const parts = [
    ...(along === 0 ? [] : [`${along} kt ${head < 0 ? 'tail' : 'head'}`]),
    ...(across === 0 ? [] : [`${across} kt ${cross < 0 ? 'left' : 'right'}`]),
  ];
  return parts.length === 0 ? 'calm' : parts.join(', ');
};

/** The declared distance that counts for a landing or a takeoff. */
const lengthOf = (mode) => (mode === 'takeoff' ? 'tora' : 'lda');

/** The open runway with the most headwind, the longest of several. */
export const bestRunway = (runways, wind, mode) => {
  const open = runways.filter(({ isClosed, surface }) => !isClosed && surface !== 'water');
  const headOf = ({ trueBearing }) => Math.round(windOn(trueBearing, wind).head);
  return open.toSorted(
    (a, b) => headOf(b) - headOf(a) || b[lengthOf(mode)].value - a[lengthOf(mode)].value,
  )[0];
};

export const chosenRunway = () => find('input[name="runway"]:checked')?.value ?? '';

// The answer is rounded to tenths of a metre; the engine floors the exact value.
const wholeLength = (system, metres) =>
  withUnit(system, 'distance', Math.floor(fromMetric(system, 'distance', metres + 0.05)));

const row = ({ ident, isClosed, surface, ...lengths }, system, length, isChosen) =>
  make(
    'label',
    { class: 'runway', 'data-runway': ident },
    (() => {
      const radio = make('input', { type: 'radio', name: 'runway', value: ident, disabled: isClosed });
      radio.checked = isChosen && !isClosed;
      return radio;
    })(),
    make('b', {}, ident),
    make('span', {}, `${length.toUpperCase()} ${wholeLength(system, lengths[length].value)}`),
    make('span', { class: isClosed ? 'wind bad' : 'wind' }, isClosed ? 'closed by NOTAM' : ''),
    surface === 'unpaved' && make('small', {}, 'unpaved'),
  );

export const showRunways = (airport, system, mode, chosen) => {
  const box = find('#runways');
  if (!airport) box.replaceChildren(make('p', { class: 'hint' }, 'Choose an airport.'));
  else if (airport.runways.length === 0)
    box.replaceChildren(make('p', { class: 'hint' }, 'No runways are known here.'));
  else
    box.replaceChildren(
      ...airport.runways.map((runway) => row(runway, system, lengthOf(mode), runway.ident === chosen)),
    );
};

/** The points where a takeoff on this runway may begin. */
export const showIntersections = (runway, system) => {
  const select = find('#intersection');
  const before = select.value;
  const places = runway?.intersections ?? [];
  select.replaceChildren(
    make('option', { value: '' }, 'The beginning of the runway'),
    ...places.map(({ name, tora }) =>
      make('option', { value: name }, `${name}: TORA ${wholeLength(system, tora)}`),
    ),
  );
  select.value = places.some(({ name }) => name === before) ? before : '';
};

/** The wind on every open runway for the values in the fields; null while they have none. */
export const showWinds = (airport, wind) => {
  for (const label of findAll('.runway')) {
    const runway = airport?.runways.find(({ ident }) => ident === label.dataset.runway);
    const place = find('.wind', label);
    if (!runway || runway.isClosed) continue;
    const parts = wind && windOn(runway.trueBearing, wind);
    place.textContent = parts ? windText(parts) : '';
    place.classList.toggle('tail', Boolean(parts) && Math.round(parts.head) < 0);
  }
};

/** The search for an airport: a list under the field, used with the keyboard or the pointer. */
import { find, make } from './dom.js';

const most = 12;

/** Codes before names: the list is in the order in which a pilot would expect them. */
export const matches = (airports, typed) => {
  const text = typed.trim().toUpperCase();
  if (text === '') return [];
  const rank = ({ icao, iata, name }) => {
    if (icao === text || iata === text) return 0;
    if (icao.startsWith(text)) return 1;
    if (name.toUpperCase().startsWith(text)) return 2;
    return name.toUpperCase().includes(text) ? 3 : 9;
  };
  return airports
    .map((airport) => ({ airport, order: rank(airport) }))
    .filter(({ order }) => order < 9)
    .sort((a, b) => a.order - b.order || b.airport.longuestRunwayLength - a.airport.longuestRunwayLength)
    .slice(0, most)
    .map(({ airport }) => airport);
};

/** Calls `onChoice` with an airport; `setList` gives the airports to choose from. */
export const createSearch = (onChoice) => {
  const input = find('#airport');
  const list = find('#airports');
  let airports = [];
  let shown = [];
  let active = -1;

  const close = () => {
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  };
  const choose = (airport) => {
    input.value = airport.icao;
    close();
    onChoice(airport);
  };
  const mark = (index) => {
    active = index;
    for (const [i, option] of [...list.children].entries())
      option.setAttribute('aria-selected', String(i === index));
    const option = list.children[index];
    if (!option) return;
    input.setAttribute('aria-activedescendant', option.id);
    option.scrollIntoView({ block: 'nearest' });
  };
  const open = () => {
    shown = matches(airports, input.value);
    list.replaceChildren(
      ...shown.map((airport, i) => {
        const codes = airport.iata ? `${airport.icao} / ${airport.iata}` : airport.icao;
        const option = make(
          'li',
          { role: 'option', id: `airport-${i}`, 'aria-selected': 'false' },
          make('b', {}, codes),
          ` ${airport.name}`,
        );
        // Before the field loses its focus.
        option.addEventListener('pointerdown', (event) => {
          event.preventDefault();
          choose(airport);
        });
        return option;
      }),
    );
    list.hidden = shown.length === 0;
    input.setAttribute('aria-expanded', String(shown.length > 0));
    mark(shown.length > 0 ? 0 : -1);
  };

  input.addEventListener('input', open);
  input.addEventListener('keydown', (event) => {
    if (list.hidden) {
      if (event.key === 'ArrowDown') open();
      return;
    }
    if (event.key === 'ArrowDown') mark((active + 1) % shown.length);
    else if (event.key === 'ArrowUp') mark((active + shown.length - 1) % shown.length);
    else if (event.key === 'Enter' && shown[active]) choose(shown[active]);
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
  });
  input.addEventListener('blur', () => {
    if (!list.hidden && shown[active]) choose(shown[active]);
    close();
  });

  return {
    setList: (known) => {
      airports = known;
    },
    byCode: (icao) => airports.find((airport) => airport.icao === icao.toUpperCase()),
    choose,
  };
};

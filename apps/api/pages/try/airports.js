/** The search for an airport: a list under the field, used with the keyboard or the pointer. */
import { find, make } from './dom.js';

const most = 12;

/** Folds accents and case: Zürich becomes ZURICH, São Paulo SAO PAULO. */
const folded = (text) =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[ŁłØøĐđ]/g, (letter) => ({ Ł: 'L', ł: 'L', Ø: 'O', ø: 'O', Đ: 'D', đ: 'D' })[letter])
    .replaceAll('ß', 'ss')
    .toUpperCase()
    .trim();

/** The searchable texts of an airport. `place`: city and former codes. */
export const searchable = (airport, place = {}) => ({
  ...airport,
  city: place.city ?? null,
  former: place.former ?? [],
  words: folded(airport.name),
  cityWords: folded(place.city ?? ''),
});

/** Codes rank before cities and names, as a pilot expects. */
const matches = (airports, typed) => {
  const text = folded(typed);
  if (text === '') return [];
  const rank = ({ icao, iata, words, cityWords, former }) => {
    if (icao === text || iata === text) return 0;
    if (former.includes(text)) return 1;
    if (icao.startsWith(text)) return 2;
    if (cityWords === text || cityWords.startsWith(`${text} (`)) return 3;
    if (words.startsWith(text)) return 4;
    if (cityWords.startsWith(text)) return 5;
    return words.includes(text) || cityWords.includes(text) ? 6 : 9;
  };
  return airports
    .map((airport) => ({ airport, order: rank(airport) }))
    .filter(({ order }) => order < 9)
    .sort((a, b) => a.order - b.order || b.airport.longuestRunwayLength - a.airport.longuestRunwayLength)
    .slice(0, most)
    .map(({ airport }) => airport);
};

/** Edit distance between two words (insert, delete, replace). */
const edits = (a, b) => {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1)
      next.push(Math.min(next[j] + 1, row[j + 1] + 1, row[j] + (letter === b[j] ? 0 : 1)));
    row = next;
  }
  return row[b.length];
};

/** Airports whose code or city is close to what was typed, nearest first. */
const nearest = (airports, typed) => {
  const text = folded(typed);
  const far = text.length > 4 ? 3 : 2;
  const distance = ({ icao, iata, cityWords }) => {
    const names = text.length > 4 ? [cityWords.split(' (')[0]] : [icao, iata ?? ''];
    return Math.min(
      ...names.map((name) => (Math.abs(name.length - text.length) < far ? edits(text, name) : far)),
    );
  };
  return airports
    .map((airport) => ({ airport, order: distance(airport) }))
    .filter(({ order }) => order < far)
    .sort((a, b) => a.order - b.order || b.airport.longuestRunwayLength - a.airport.longuestRunwayLength)
    .slice(0, 5)
    .map(({ airport }) => airport);
};

/** Buttons for airports near an unknown one, within the sentence about it. */
export const offerNearest = (near, onChoice) => {
  if (near.length === 0) return;
  const buttons = near.map((airport) => {
    const button = make('button', { type: 'button', class: 'small', title: airport.name }, airport.icao);
    button.addEventListener('click', () => onChoice(airport));
    return button;
  });
  find('#airport-problem').append(' Nearest: ', ...buttons);
};

/**
 * Calls `onChoice` with an airport, `onUnknown` for one that is not in the list; `setList` sets the airports to choose
 * from.
 */
export const createSearch = (onChoice, onUnknown) => {
  const input = find('#airport');
  const list = find('#airports');
  let airports = [];
  let shown = [];
  let active = -1;
  let chosen = '';

  const close = () => {
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  };
  const choose = (airport) => {
    input.value = airport.icao;
    chosen = airport.icao;
    close();
    onChoice(airport);
  };
  /** Reports text that matches no airport, once. */
  const settle = () => {
    const typed = folded(input.value);
    if (typed === chosen) return;
    const [first] = matches(airports, typed);
    if (first) choose(first);
    else {
      chosen = typed;
      close();
      onUnknown(input.value.trim(), nearest(airports, typed));
    }
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
        const isNamed = airport.city === null || airport.words.includes(airport.cityWords);
        const option = make(
          'li',
          { role: 'option', id: `airport-${i}`, 'aria-selected': 'false' },
          make('b', {}, codes),
          ` ${airport.name}${isNamed ? '' : `, ${airport.city}`}`,
        );
        // Before the field loses focus.
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
      else if (event.key === 'Enter' && folded(input.value) !== chosen) {
        event.preventDefault();
        settle();
      }
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
    else settle();
    close();
  });

  return {
    setList: (known) => {
      airports = known;
    },
    /** By its current, former or IATA code. */
    byCode: (code) => {
      const text = folded(code);
      return airports.find(
        ({ icao, iata, former }) => icao === text || iata === text || former.includes(text),
      );
    },
    nearest: (typed) => nearest(airports, typed),
    choose,
    /** Selects an airport by the code in the page's address. */
    take: (icao) => {
      input.value = icao;
      chosen = icao;
    },
  };
};

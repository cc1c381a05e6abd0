/** Single figures of a result with their meaning. */
import { make } from './dom.js';

export const tile = (title, value, meaning) =>
  make(
    'div',
    { class: 'figure' },
    make('dt', {}, title),
    make('dd', {}, make('b', {}, value), make('small', {}, meaning)),
  );

export const windTile = ({ headwind, crosswind }) =>
  tile(
    headwind < 0 ? 'Tailwind' : 'Headwind',
    `${Math.round(Math.abs(headwind))} kt`,
    `Crosswind ${Math.round(Math.abs(crosswind))} kt`,
  );

/** Route, times and fuel of a flight plan, for readers without the app. */
import type { OfpFacts } from '#domain/ofp/summary.ts';
import { html } from './html.ts';
import type { Insert } from './html.ts';

type Airport = OfpFacts['origin'];

const airportText = (airport: Airport | undefined): string | null => {
  if (!airport?.icao) return null;
  const { icao, name, runway } = airport;
  return `${icao}${name ? ` ${name}` : ''}${runway ? `, runway ${runway}` : ''}`;
};

/** `2026-09-16 14:40 UTC`. */
const timeText = (time: string | null = null): string | null =>
  time === null ? null : `${time.slice(0, 16).replace('T', ' ')} UTC`;

const durationText = (seconds: number | null = null): string | null => {
  if (seconds === null) return null;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
};

const numberText = (value: number | null | undefined, unit: string): string | null =>
  value === null || value === undefined ? null : `${Math.round(value).toLocaleString('en')} ${unit}`.trim();

/** The facts that the plan has; empty if none. Older imports may lack some. */
export const planFacts = (facts: Partial<OfpFacts>): Insert => {
  // Without a unit, numbers are shown plain.
  const unit = facts.units?.replace(/s$/, '') ?? '';
  const aircraft = [facts.aircraftIcao, facts.registration].filter((part) => part);
  const rows: [string, string | null][] = [
    ['From', airportText(facts.origin)],
    ['To', airportText(facts.destination)],
    ['Aircraft', aircraft.length === 0 ? null : aircraft.join(' ')],
    ['Route', facts.route ?? null],
    ['Distance', numberText(facts.distanceNm, 'NM')],
    ['Cruise', numberText(facts.cruiseAltitude, 'ft')],
    ['Off blocks', timeText(facts.estimatedOut)],
    ['Takeoff', timeText(facts.estimatedOff)],
    ['Landing', timeText(facts.estimatedOn)],
    ['On blocks', timeText(facts.estimatedIn)],
    ['Enroute', durationText(facts.enrouteSeconds)],
    ['Ramp fuel', numberText(facts.fuel?.ramp, unit)],
    ['Trip fuel', numberText(facts.fuel?.trip, unit)],
    ['Fuel at landing', numberText(facts.fuel?.landing, unit)],
  ];
  const shown = rows.flatMap(([name, text]) =>
    text === null || text === '' ? [] : [html`<dt>${name}</dt><dd>${text}</dd>\n`],
  );
  return shown.length > 0 && html`<dl>\n${shown}</dl>`;
};

/** Takeoff and landing of a briefing in words, for print; numbers are already in the reader's units. */
import type { z } from 'zod';
import type { PerformanceDefaults } from '#domain/ofp/performance-defaults.ts';
import type { BriefingDocument, Fact } from '#domain/prints/content.ts';
import { shownIn, windText, withUnit } from '#domain/prints/units.ts';
import type { ReaderUnits } from '#domain/prints/units.ts';
import { flownColumn } from '#domain/performance/takeoff-result.ts';
import type { landingCallSchema, takeoffCallSchema } from '../../performance/common/answer.ts';

type Part = BriefingDocument['performance'][number];
interface Called<A> {
  answer: A | null;
  error: { code: string; message: string } | null;
}
type Defaults = PerformanceDefaults['takeoff'] | PerformanceDefaults['landing'];

const notAsked = 'Not calculated: the briefing was made without performance.';
const maxModes = 6;
const maxCautions = 16;

/** Those that have a value. */
export const factsOf = (values: Readonly<Record<string, string | null | undefined>>): Fact[] =>
  Object.entries(values).flatMap(([name, value]) => (typeof value === 'string' ? [{ name, value }] : []));

const conditionFacts = ({ weather, runwayCondition, sources }: Defaults, units: ReaderUnits): Fact[] => {
  const { windDirection: direction, windSpeed: speed, gust, headwind, temperature, qnh } = weather;
  const { source, text, ageMinutes } = sources.runwayCondition;
  const age = ageMinutes === null ? '' : `, ${ageMinutes} min before`;
  const along =
    headwind === undefined
      ? ''
      : ` (along the runway ${headwind < 0 ? 'tailwind' : 'headwind'} ${Math.abs(headwind)})`;
  const from = (part: 'wind' | 'temperature'): string => {
    const { source: origin, text: words, ageMinutes: minutes } = sources[part];
    const before = minutes === null || origin !== 'reported' ? '' : `, ${minutes} min before`;
    return `${part}: ${origin === 'assumed' ? 'assumed ' : ''}${words ?? origin}${before}`;
  };
  const depth = runwayCondition.depth > 0 ? ` ${withUnit(runwayCondition.depth, units.depth)}` : '';
  return factsOf({
    Aircraft: sources.aircraft?.text,
    Settings: sources.configuration?.text,
    Weather: `${windText({ direction, speed, gust }, units.wind)}${along}, ${shownIn(temperature, 'celsius', units.temperature)}, QNH ${withUnit(qnh, units.pressure)}`,
    From: `${from('wind')}; ${from('temperature')}`,
    Condition: `${runwayCondition.state ?? 'nil'}${depth} (${source}${age}: ${text ?? ''})`,
  });
};

/** Printed with the conditions instead. */
const printedCautions: ReadonlySet<string> = new Set(['AIRCRAFT_DIFFERS', 'SETTINGS_NOT_CARRIED']);

const cautionFacts = (cautions: readonly { code: string; severity: string; text: string }[]): Fact[] => {
  const isAdvisory = ({ severity }: { severity: string }): number => Number(severity === 'advisory');
  const counting = cautions
    .filter(({ code }) => !printedCautions.has(code))
    .toSorted((a, b) => isAdvisory(a) - isAdvisory(b));
  const left = counting.length - maxCautions;
  return [
    ...counting.slice(0, maxCautions).map(({ severity, text }) => ({ name: severity, value: text })),
    ...(left > 0 ? [{ name: 'caution', value: `${left} more, in the answer of the calculation` }] : []),
  ];
};

const without = (heading: string, called: Called<unknown> | null): Part => ({
  heading,
  facts: [],
  problem: called === null ? notAsked : (called.error?.message ?? 'No calculation is possible.'),
});

export const takeoffPart = (
  called: Called<z.input<typeof takeoffCallSchema>> | null,
  defaults: PerformanceDefaults['takeoff'],
  units: ReaderUnits,
): Part => {
  const heading = `Takeoff ${defaults.airport ?? ''} ${defaults.runway ?? ''}`.trim();
  const found = called?.answer;
  if (!found?.performance) return without(heading, called);
  const { performance: p, cautions } = found;
  const column = flownColumn(p);
  const weight = (value: number | null) => (value === null ? '–' : withUnit(value, units.weight));
  const distance = (value: number | null) => (value === null ? '–' : withUnit(value, units.distance));
  const thrust =
    p.assumedTemperature === null
      ? 'full thrust'
      : `assumed ${shownIn(p.assumedTemperature, 'celsius', units.temperature)}`;
  return {
    heading: `${heading}: ${p.shown?.text ?? p.verdict}`,
    problem: null,
    facts: [
      ...factsOf({
        'V1 / VR / V2': `${p.v1 ?? '–'} / ${p.vR ?? '–'} / ${p.v2 ?? '–'} kt`,
        'Flap, thrust': `${p.flap}, ${p.rating}, ${thrust}`,
        Weight: `${weight(p.takeoffWeight)}, at most ${weight(p.maxTakeoffWeight)} (${p.limitedBy})`,
        Runway: `TORA ${distance(p.tora)}, TODA ${distance(p.toda)}, ASDA ${distance(p.asda)}`,
        Stop: column && `${distance(column.asd)}, margin ${distance(column.asdMargin)}`,
        'Engine out': column && `${distance(column.eogd)}, margin ${distance(column.eogdMargin)}`,
        'All engines': column && `${distance(column.agd)}, margin ${distance(column.agdMargin)}`,
      }),
      ...conditionFacts(defaults, units),
      ...cautionFacts(cautions ?? []),
    ],
  };
};

export const landingPart = (
  called: Called<z.input<typeof landingCallSchema>> | null,
  defaults: PerformanceDefaults['landing'],
  units: ReaderUnits,
): Part => {
  const heading = `Landing ${defaults.airport ?? ''} ${defaults.runway ?? ''}`.trim();
  const found = called?.answer;
  if (!found?.performance) return without(heading, called);
  const { performance: p, cautions } = found;
  const distance = (value: number) => withUnit(value, units.distance);
  const modes = (p.autobrakeLandingDist ?? []).slice(0, maxModes);
  return {
    heading: `${heading}: ${p.shown?.text ?? p.verdict ?? ''}`,
    problem: null,
    facts: [
      { name: 'VREF / VAPP', value: `${p.vRef} / ${p.vApp} kt, flap ${p.flap}` },
      { name: 'Weight', value: withUnit(p.landingWeight, units.weight) },
      { name: 'LDA', value: distance(p.lda) },
      ...modes.map(({ label, landingDistance, factoredDistance, shown }) => ({
        name: label,
        value: `${distance(landingDistance)}, factored ${distance(factoredDistance)}${shown ? `: ${shown.text}` : ''}`,
      })),
      ...conditionFacts(defaults, units),
      ...cautionFacts(cautions ?? []),
    ],
  };
};

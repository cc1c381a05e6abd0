import { readClosures } from './closures.ts';
import type { Reading } from './closures.ts';
import { readDistances } from './distances.ts';
import { readExits } from './exits.ts';
import { isAboutRunways, mayAffectRunways, statesDistances } from './q-line.ts';
import { readShortenings } from './shortening.ts';
import { normaliseText } from './text.ts';
import type { RunwayEffect } from './types.ts';

export interface EffectInput {
  text: string;
  qCode: string | null;
  /** Aerodrome as the text may name it at its start. */
  location: string | null;
  hasSchedule: boolean;
  /** Figures without a unit are feet (United States, Canada). */
  isFeet: boolean;
  /** FAA texts start with their subject ("RWY", "TWY"), the code is only a guess. */
  keyword?: string;
}

const notARunway = /\b(?:GLIDERS?|GLD|ULM|WINCH\w*|AERO TOW|FATO|MICROLIGHT)\b/;
const runwayKeywords = new Set(['RWY', 'TWY', 'AD', 'AERODROME']);
/** Times inside item E that are not repeated in a schedule field. */
const timesInText =
  /\b(?:BTN|BETWEEN|FM|FROM) \d{4}(?:Z|UTC)? ?(?:-|AND|TO|TIL) ?\d{4}\b|\b(?:DATES? AND TIMES?|TIMES?|HOURS?)\s*:|\b(?:DAILY|DLY|MON|TUE|WED|THU|FRI|SAT|SUN)\b[^.]{0,40}\b\d{4}-\d{4}\b|\b\d{2}(?: \d{2}){2,} \d{4}-\d{4}\b/;

/** Airline traffic may still use it; whether the flight in question is one is unknown. */
const airlinesExcepted =
  /\b(?:EXC(?:EPT)?\b[^.]{0,80}|AVBL FOR )(?<!NON[- ])\b(?:COMMERCIAL|SCHEDULED|SKED|REGULAR|PLANNED)\b/;

/** Some expressions take quadratic time. */
const maxTextLength = 16_000;

const nothing: Reading = { effects: [], flags: [] };

const isRelevant = ({ qCode, keyword }: EffectInput): boolean =>
  keyword === undefined ? mayAffectRunways(qCode) : runwayKeywords.has(keyword);

const isShortening = (effect: RunwayEffect): boolean =>
  effect.kind === 'shortened' || effect.kind === 'displaced';

const derivedFlags = (effects: RunwayEffect[]): string[] => {
  const statesLda = (runway: string): boolean =>
    effects.some((e) => e.kind === 'declaredDistance' && e.distance === 'LDA' && e.runway === runway);
  const derived = effects.filter((e) => isShortening(e) && 'runway' in e && !statesLda(e.runway));
  return derived.length > 0 ? ['LDA not stated: derived from the shortening'] : [];
};

/** Extracts the effects of a NOTAM on runways; flags what it does not understand, never guesses. */
export const readEffects = (input: EffectInput): Reading => {
  if (!isRelevant(input)) return nothing;
  if (input.text.length > maxTextLength) return { effects: [], flags: ['text too long to process'] };
  const text = normaliseText(input.text);
  const isTaxiwayCode = /^QM[XY]LC$/.test(input.qCode ?? '') || input.keyword === 'TWY';
  const isRunwayText = isAboutRunways(input.qCode) || input.keyword === 'RWY';
  if (/^(?:\W*)TRIGGER NOTAM/.test(text))
    return { effects: [], flags: isRunwayText ? ['trigger NOTAM: see the supplement'] : [] };
  const options = {
    hasSchedule: input.hasSchedule,
    isClosureCode: input.qCode === 'QMRLC',
    location: input.location,
  };
  const readings = [
    readShortenings(text),
    readClosures(text, options),
    statesDistances(input.qCode) ? readDistances(text, input.isFeet) : nothing,
    readExits(text, input.location, isTaxiwayCode),
  ];
  let effects = readings.flatMap((reading) => reading.effects);
  const isPartRead = effects.some((effect) => effect.kind === 'shortened');
  const flags = readings
    .flatMap((reading) => reading.flags)
    .filter((flag) => !(isPartRead && flag.startsWith('part of the runway closed, length not understood')));
  const closes = effects.some(
    (e) => e.kind === 'closed' || e.kind === 'allRunwaysClosed' || e.kind === 'aerodromeClosed',
  );
  const conditions = [
    ...(!input.hasSchedule && timesInText.test(text) ? ['the times are only in the text'] : []),
    ...(airlinesExcepted.test(text) ? ['commercial or scheduled flights are excepted'] : []),
  ];
  if (closes && conditions.length > 0)
    effects = effects.map((effect) => ({ ...effect, condition: effect.condition ?? conditions.join(', ') }));
  flags.push(...derivedFlags(effects));
  if (effects.length === 0 && flags.length === 0 && isRunwayText && !notARunway.test(text))
    flags.push('about a runway, no effect recognised');
  if (effects.length === 0 && flags.length === 0 && input.qCode === 'QFALC')
    flags.push('closure of the aerodrome or a part of it, not understood');
  for (const effect of effects) if (effect.condition !== undefined) flags.push(effect.condition);
  return { effects, flags: [...new Set(flags)] };
};

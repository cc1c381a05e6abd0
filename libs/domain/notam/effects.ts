import { readClosures } from './closures.ts';
import { readDistances } from './distances.ts';
import { readExits } from './exits.ts';
import { isAboutServices, mayAffectRunways, statesDistances } from './q-line.ts';
import { readShortenings } from './shortening.ts';
import { maxTextLength, normaliseText, statementsOf } from './text.ts';
import { closes, setsDistance } from './types.ts';
import type { Interpretation, RunwayEffect } from './types.ts';
import { flagsOfMentions, flagsOfTrigger, flagsWithoutEffects } from './unread.ts';
import { months, pattern, weekday, weekdays } from './vocabulary.ts';

const days = weekdays.join('|');
/** Times in item E that no schedule field repeats. */
const timesInText = pattern`\b(?:BTN|BETWEEN|FM|FROM) \d{4}(?:Z|UTC)? ?(?:-|AND|TO|TIL) ?\d{4}\b|\b(?:DATES? AND TIMES?|TIMES?|HOURS?)\s*:|\b(?:DAILY|DLY|${days})\b[^.]{0,40}\b\d{4} ?[-/] ?\d{4}\b|\b\d{2}(?: \d{2}){2,} \d{4} ?[-/] ?\d{4}\b|\b(?:CLSD|CLOSED|AVBL)\b[^.]{0,60}\b[0-2]\d[0-5]\d(?:Z|UTC)? ?[-/] ?[0-2]\d[0-5]\d(?:Z|UTC)?\b|\b(?:CLSD|CLOSED)\b[^.]{0,60}?\b(?:UNTIL|TILL?|FROM|FM|WEF|AFTER|AFT) [0-2]\d[0-5]\d(?!\d)`;

/** Days without times: "CLSD 12-14 MAY", "CLSD DAILY". */
const daysInText = pattern`\b(?:CLSD|CLOSED)\b[^.]{0,60}\b(?:(?<!(?:UNTIL|TIL|TILL|UNTL|WEF|FROM|SINCE|FM) )\d{1,2} (?:${months.join('|')})|DAILY|DLY|NIGHTLY|WEEKENDS?|WEEKDAYS|HOLIDAYS?|HOL|${weekday})\b`;

/** A normalised text limits its effects to times of its own, which may be those of its schedule or validity. */
const hasOwnTimes = (text: string): boolean => daysInText.test(text) || timesInText.test(text);

export interface EffectInput {
  text: string;
  qCode: string | null;
  /** Aerodrome that may begin the text. */
  location: string | null;
  hasSchedule: boolean;
  /** Figures without a unit are feet (United States, Canada). */
  isFeet: boolean;
  /** FAA texts begin with their subject ("RWY", "TWY"); their Q code is only a guess. */
  keyword?: string;
}

const runwayKeywords = new Set(['RWY', 'TWY', 'AD', 'AERODROME']);
/** Airlines may still use the runway, but whether this flight is an airline flight is unknown. */
const airlinesExcepted =
  /\b(?:EXC(?:EPT)?\b[^.]{0,80}|AVBL FOR )(?<!NON[- ])\b(?:COMMERCIAL|SCHEDULED|SKED|REGULAR|PLANNED)\b/;

const exempted = /\bEXEMPT(?:ED|IONS?)?\b/;

const nothing: Interpretation = { effects: [], flags: [] };

const derivedFlags = (effects: RunwayEffect[]): string[] => {
  const statesLda = (runway: string): boolean =>
    effects.some((e) => e.kind === 'declaredDistance' && e.distance === 'LDA' && e.runway === runway);
  return effects.some((e) => (e.kind === 'shortened' || e.kind === 'displaced') && !statesLda(e.runway))
    ? ['LDA not stated: derived from the shortening']
    : [];
};

const distance = /\b(?:TORA|TODA|ASDA|LDA|DECLARED DIST\w*)\b/;
const limits =
  /\b(?:WHEN|WHENEVER|WHILE|IF|DURING|DRG|AT NIGHT|BY NIGHT|NIGHT ONLY|DAY ONLY|OUTSIDE|UNLESS|EXC|EXCEPT|ON REQUEST|O\/R|CANCELLED|CNL|ERRONEOUS|FOR (?:ACFT|CODE|CAT|TRAINING|HEL|LIGHT|JETS?|VFR|IFR|NIGHT)[A-Z]*)\b/;

/** Words that limit the distances in their sentence. */
const limitOfDistances = (text: string): string | null => {
  for (const statement of statementsOf(text)) {
    const found = distance.test(statement) ? limits.exec(statement) : null;
    if (found) return `distances limited by "${statement.slice(found.index, found.index + 60)}"`;
  }
  return null;
};

const limited = (
  effects: RunwayEffect[],
  which: (effect: RunwayEffect) => boolean,
  reasons: (string | null)[],
) => {
  const given = reasons.filter((reason) => reason !== null);
  return given.length === 0
    ? effects
    : effects.map((effect) =>
        which(effect) ? { ...effect, condition: effect.condition ?? given.join(', ') } : effect,
      );
};

const readersOf = (input: EffectInput, text: string): Interpretation[] => {
  const closures = readClosures(text, {
    hasSchedule: input.hasSchedule,
    isClosureCode: input.qCode === 'QMRLC',
    location: input.location,
  });
  // A text about airspace or services can only close the aerodrome, not a runway.
  if (isAboutServices(input.qCode)) {
    const effects = closures.effects.filter(({ kind }) => kind === 'aerodromeClosed');
    return [{ effects, flags: effects.length > 0 ? closures.flags : [] }];
  }
  const isTaxiwayCode = /^QM[XY]LC$/.test(input.qCode ?? '') || input.keyword === 'TWY';
  return [
    readShortenings(text),
    closures,
    statesDistances(input.qCode) ? readDistances(text, input.isFeet) : nothing,
    readExits(text, input.location, isTaxiwayCode),
  ];
};

/** Extracts the runway effects of a NOTAM; flags what it does not understand and never guesses. */
export const readEffects = (input: EffectInput): Interpretation => {
  if (input.keyword === undefined && !mayAffectRunways(input.qCode))
    return { effects: [], flags: flagsOfMentions(input.qCode, normaliseText(input.text)) };
  if (input.keyword !== undefined && !runwayKeywords.has(input.keyword)) return nothing;
  if (input.text.length > maxTextLength) return { effects: [], flags: ['text too long to process'] };
  const text = normaliseText(input.text);
  const announced = flagsOfTrigger(input, text);
  if (announced) return { effects: [], flags: announced };
  const readings = readersOf(input, text);
  const all = readings.flatMap((reading) => reading.effects);
  let effects = [...new Map(all.map((effect) => [JSON.stringify(effect), effect])).values()];
  const isPartRead = effects.some((effect) => effect.kind === 'shortened');
  const flags = readings
    .flatMap((reading) => reading.flags)
    .filter((flag) => !(isPartRead && flag.startsWith('part of the runway closed, length not understood')));
  const times = !input.hasSchedule && hasOwnTimes(text) ? 'the times are only in the text' : null;
  const excepted = airlinesExcepted.test(text) ? 'commercial or scheduled flights are excepted' : null;
  const exemption = exempted.test(text) ? 'exemptions are granted' : null;
  effects = limited(effects, closes, [times, excepted, exemption]);
  effects = limited(effects, setsDistance, [times, limitOfDistances(text)]);
  flags.push(...derivedFlags(effects));
  if (effects.length === 0 && flags.length === 0) flags.push(...flagsWithoutEffects(input, text));
  for (const effect of effects) if (effect.condition !== undefined) flags.push(effect.condition);
  return { effects, flags: [...new Set(flags)] };
};

/** Flags for texts without a detected effect, so that a pilot reads what they say about runways. */
import { distanceNotUnderstood } from './distances.ts';
import { isAboutRunways, isAboutTaxiways } from './q-line.ts';
import { closedElsewhere, pattern, place } from './vocabulary.ts';

export const noEffectRecognised = 'about a runway, no effect recognised';

const notARunway = /\b(?:GLIDERS?|GLD|ULM|WINCH\w*|AERO TOW|FATO|MICROLIGHT)\b/;
const closed = String.raw`\b(?:CLSD|CLOSED|CLOSURE|${closedElsewhere})\b`;
const service = String.raw`(?:TWR|TOWER|FUEL|PUMPS?|STATION|RFFS?|CUSTOMS|TERMINAL|OFFICE|SERVICES?)`;
/** "AERODROME TWR CLSD" does not close the aerodrome. */
const ofService = String.raw` (?:(?!(?:AND|OR|DUE|NO|WO|WITHOUT|CLSD|CLOSED) )[A-Z]+ )?${service} (?:IS |ARE )?${closed}`;
/** Not closures: cranes that work "WHEN RWY 09L/27R IS CLSD"; "FUEL AT AIRPORT NOT AVBL, PUMP CLSD". */
const closure = pattern`(?<!\bWHEN (?:THE )?|\b${service} AT (?:THE )?)\b${place}(?!${ofService})[^.]{0,40}${closed}|${closed} (?:OF )?(?:THE )?${place}`;
const closedWord = new RegExp(closed);
/** "BEYOND TORA" gives the distance of an obstacle. */
const distance = /(?<!\bBEYOND )\b(?:TORA|TODA|ASDA)\b/;
/** In texts about landing aids and procedures, LDA means a localizer. */
const isAboutLandingAids = (qCode: string | null): boolean => qCode !== null && /^Q[INP]/.test(qCode);

/** Flags for words about runways in texts on any subject. */
export const flagsOfMentions = (qCode: string | null, text: string): string[] => {
  if (distance.test(text) || (!isAboutLandingAids(qCode) && /\bLDA\b/.test(text)))
    return [distanceNotUnderstood];
  return !isAboutTaxiways(qCode) && closure.test(text)
    ? ['closure of the aerodrome or a runway, not understood']
    : [];
};

/** Flags for texts whose subject can change runways. */
export const flagsWithoutEffects = (
  { qCode, keyword }: { qCode: string | null; keyword?: string },
  text: string,
): string[] => {
  if (isAboutRunways(qCode) || keyword === 'RWY') return notARunway.test(text) ? [] : [noEffectRecognised];
  if (qCode === 'QFALC') return ['closure of the aerodrome or a part of it, not understood'];
  if (qCode === 'QFAAH' && closedWord.test(text)) return ['closed at times that were not understood'];
  return flagsOfMentions(qCode, text);
};

const trigger = /^(?:\W*)TRIGGER NOTAM/;
/** An AIP amendment is permanent and reaches the airport data; a supplement does not. */
const isAmendment = (text: string): boolean => /\b(?:AMDT|AMENDMENT)\b/.test(text) && !/\bSUP/.test(text);
const runwayWord = /\b(?:RWYS?|RUNWAYS?|THR|DECLARED)\b/;

/** Flags for a trigger NOTAM, which announces a publication; null for other texts. */
export const flagsOfTrigger = (
  { qCode, keyword }: { qCode: string | null; keyword?: string },
  text: string,
): string[] | null => {
  if (!trigger.test(text)) return null;
  const mayChangeRunways =
    isAboutRunways(qCode) ||
    keyword === 'RWY' ||
    !isAmendment(text) ||
    runwayWord.test(text) ||
    flagsOfMentions(qCode, text).length > 0;
  return mayChangeRunways ? ['trigger NOTAM: see the supplement'] : [];
};

import { readEffects } from './effects.ts';
import { parseSchedule } from './schedule.ts';
import { readSurface } from './surface/read.ts';
import { readNamedRunways } from './text.ts';
import type { Notam } from './types.ts';
import { noEffectRecognised } from './unread.ts';

/** The subject of an FAA text, after its location. */
const keywords =
  /^(?:PART \d{1,3} OF \d{1,3} )?(AD|AERODROME|AIRSPACE|APRON|CHART|COM|DATA|IAP|NAV|OBST|ODP|ROUTE|RWY|SECURITY|SID|SPECIAL|STAR|SVC|TWY|VFP)\b/;

/**
 * Version of the text interpretation. Raise it with every change of the readers, and stored NOTAM are interpreted
 * again.
 */
export const parserVersion = 16;

type Interpreted = Pick<Notam, 'schedule' | 'effects' | 'flags' | 'runways'>;
/** Items of a NOTAM without their interpretation. */
type NotamItems = Omit<Notam, keyof Interpreted>;

/** Regions with figures in feet: Canada, the United States with Alaska and the Pacific, Puerto Rico, Virgin Islands. */
const feetRegions = /^(?:K|C[YZ]|P[AFGHKMOPTW]|T[IJ]|NST)/;

/** This cannot be derived from the stored items. */
const itemQNotUnderstood = 'item Q not understood';

/** "A) XXAA PART 3 OF 3", or in the text. */
export const partOf = /\bPART\s+(\d{1,3})\s+OF\s+(\d{1,3})\b/i;

/** Reads schedule, runway effects, named runways and flags of a NOTAM; no other code reads its texts. */
export const interpret = (items: NotamItems, isItemQUnread: boolean): Interpreted => {
  const { scheduleRaw, text, format, qCode } = items;
  const schedule = scheduleRaw === null ? null : parseSchedule(scheduleRaw, new Date(items.fromUtc));
  const flags = [...(isItemQUnread ? [itemQNotUnderstood] : []), ...(schedule?.notes ?? [])];
  if (scheduleRaw !== null && !schedule) flags.push(`schedule not understood: "${scheduleRaw.slice(0, 80)}"`);
  const [location = null] = items.locations;
  const isActive = items.type !== 'C' && items.airports.length > 0;
  const reading = isActive
    ? readEffects({
        text,
        qCode,
        location,
        hasSchedule: scheduleRaw !== null,
        isFeet: format === 'faa' || feetRegions.test(items.fir ?? location ?? ''),
        ...(format === 'faa' ? { keyword: keywords.exec(text)?.[1] ?? 'OTHER' } : {}),
      })
    : { effects: [], flags: [] };
  const surface = readSurface(items);
  // A surface report is an effect; its unread sentences are flagged separately.
  const isOfSurface = surface.reports.length + surface.unread.length > 0 || surface.isSlipperyWhenWet;
  const found = reading.flags.filter((flag) => !isOfSurface || flag !== noEffectRecognised);
  if (surface.isSlipperyWhenWet && isActive) flags.push('slippery when wet: counts where the runway is wet');
  const part = partOf.exec(items.raw.slice(0, 4_000));
  if (part && part[2] !== '1') flags.push(`part ${part[1]} of ${part[2]} of a longer text`);
  return {
    schedule,
    effects: reading.effects,
    flags: [...new Set([...flags, ...found])],
    runways: isActive ? readNamedRunways(text) : [],
  };
};

/** Interprets a stored NOTAM again with this version. */
export const interpretAgain = <N extends Notam>(notam: N): N => ({
  ...notam,
  ...interpret(notam, notam.flags.includes(itemQNotUnderstood)),
});

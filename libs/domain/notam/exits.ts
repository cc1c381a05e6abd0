import { designatorsIn, runwayList, statementsOf } from './text.ts';
import type { Reading } from './types.ts';

const phonetic =
  'ALPHA BRAVO CHARLIE DELTA ECHO FOXTROT GOLF HOTEL INDIA JULIET KILO LIMA MIKE NOVEMBER OSCAR PAPA QUEBEC ROMEO SIERRA TANGO UNIFORM VICTOR WHISKEY YANKEE ZULU'.split(
    ' ',
  );
const spoken = new RegExp(`\\b(?:${phonetic.join('|')}|ALFA|JULIETT)\\b`, 'g');
const name = String.raw`'?(?!TWY|RWY|AND|THR|APN|ALL)[A-Z]{1,2}\d{0,2}[A-Z]?'?(?![A-Z0-9-])`;
const names = String.raw`${name}(?:(?:\s*(?:,\s*AND|,|AND|&|\/)\s*|\s+(?=[A-Z]{1,2}\d))(?:(?:TWYS?|TAXIWAYS?)\s+)?${name})*`;
const closed = String.raw`(?:CLSD|CLOSED|CSLD|NOT AVBL|NOT AVAILABLE|UNAVAILABLE|UNUSABLE|U\/S)`;
const entryExit = new RegExp(
  `^(?:(${runwayList})\\s*:?\\s+)?(?:RAPID |HIGH SPEED )?(?:ENTRY\\/EXITS?|ENTRY|EXITS?|RETS?|ENTRIES AND EXITS)\\s+(?:TWYS?\\s+)?(${names})\\s+(?:IS |ARE )?${closed}(?![A-Z])(.*)$`,
);
const taxiway = new RegExp(
  `^(?:RAPID EXIT )?(?:TWYS?|TAXIWAYS?)\\s+(${names})\\s+((?:BTN|BETWEEN)\\s+.+?\\s+)?(?:IS |ARE )?(?:CLSD|CLOSED|CSLD|NOT AVBL)(?![A-Z])(.*)$`,
);
const runwayInside = new RegExp(runwayList);
/** Only a part is closed: the following words name its ends. */
const part =
  /^[\s,]*(?:BTN|BETWEEN|(?:FM|FROM)\s|(?:N|S|E|W|NE|NW|SE|SW|NORTH|SOUTH|EAST|WEST)(?:\s|$)|BEHIND|BEFORE|BEYOND|AT\s|WI\s|ABEAM)/;
const limited = /^\s*(?:TO|FOR)\s(?!WIP|MAINT|WORK)|\b(?:EXC|EXCEPT|WINGSPAN|LESS THAN|MORE THAN)\b/;
const closureMention = /\b(?:CLSD|CLOSED|CSLD)\b/;

const toLetters = (text: string): string => text.replace(spoken, (word) => word.charAt(0));

const namesIn = (text: string): string[] => [
  ...new Set(
    (text.match(/(?<![A-Z0-9])(?!TWY|AND)[A-Z]{1,2}\d{0,2}[A-Z]?(?![A-Z0-9])/g) ?? []).filter(
      (each) => each !== 'AND',
    ),
  ),
];

/**
 * Closed exits: "ENTRY/EXIT A10W AND AB12/A12 CLSD" and taxiways closed entirely or between a runway and
 * another taxiway. A part that does not touch a runway closes no exit. Restrictions to some aircraft are
 * conditions.
 */
export const readExits = (normalised: string, location: string | null, isTaxiwayCode: boolean): Reading => {
  const out: Reading = { effects: [], flags: [] };
  for (const whole of statementsOf(toLetters(normalised))) {
    const first = whole.split(' ')[0] ?? '';
    const own = location !== null && (first === location || first === location.slice(1));
    const statement = own ? whole.slice(first.length).trim() : whole;
    const exit = entryExit.exec(statement);
    const taxi = exit ? null : taxiway.exec(statement);
    if (!exit && !taxi) {
      if (isTaxiwayCode && closureMention.test(statement)) out.flags.push('taxiway closure not understood');
      continue;
    }
    const tail = (exit ?? taxi)?.[3] ?? '';
    const piece = taxi?.[2] ?? (part.test(tail) ? tail : undefined);
    const touched = piece === undefined ? null : (runwayInside.exec(piece)?.[0] ?? null);
    if (piece !== undefined && touched === null) {
      out.flags.push('part of a taxiway closed, away from the runways');
      continue;
    }
    const runways = designatorsIn(exit?.[1] ?? touched ?? '');
    const condition = limited.test(tail)
      ? `closed with exceptions: "${tail.trim().slice(0, 70)}"`
      : undefined;
    for (const each of namesIn(exit?.[2] ?? taxi?.[1] ?? ''))
      out.effects.push({
        kind: 'exitClosed',
        name: each,
        runways,
        ...(condition === undefined ? {} : { condition }),
      });
    if (condition !== undefined) out.flags.push(condition);
  }
  return out;
};

import { designatorsIn, statementsOf } from './text.ts';
import type { Interpretation } from './types.ts';
import { closedWord, everyPattern, pattern, runwayList } from './vocabulary.ts';

const phonetic =
  'ALPHA BRAVO CHARLIE DELTA ECHO FOXTROT GOLF HOTEL INDIA JULIET KILO LIMA MIKE NOVEMBER OSCAR PAPA QUEBEC ROMEO SIERRA TANGO UNIFORM VICTOR WHISKEY YANKEE ZULU ALFA JULIETT';
const spoken = everyPattern`\b(?:${phonetic.replaceAll(' ', '|')})\b`;
const name = String.raw`'?(?!TWY|RWY|AND|THR|APN|ALL)[A-Z]{1,2}\d{0,2}[A-Z]?'?(?![A-Z0-9-])`;
const names = String.raw`(?<names>${name}(?:(?:\s*(?:,\s*AND|,|AND|&|\/)\s*|\s+(?=[A-Z]{1,2}\d))(?:(?:TWYS?|TAXIWAYS?)\s+)?${name})*)`;
const entryExit = pattern`^(?:(?<list>${runwayList})\s*:?\s+)?(?:RAPID |HIGH SPEED )?(?:ENTRY\/EXITS?|ENTRY|EXITS?|RETS?|ENTRIES AND EXITS)\s+(?:TWYS?\s+)?${names}\s+(?:IS |ARE )?${closedWord}(?![A-Z])(?<tail>.*)$`;
const taxiway = pattern`^(?:RAPID EXIT )?(?:TWYS?|TAXIWAYS?)\s+${names}\s+(?<piece>(?:BTN|BETWEEN)\s+.+?\s+)?(?:IS |ARE )?(?:CLSD|CLOSED|CSLD|NOT AVBL)(?![A-Z])(?<tail>.*)$`;
const runwayInside = new RegExp(runwayList);
/** Only a part is closed; the words after it name its ends. */
const part =
  /^[\s,]*(?:BTN|BETWEEN|(?:FM|FROM)\s|(?:N|S|E|W|NE|NW|SE|SW|NORTH|SOUTH|EAST|WEST)(?:\s|$)|BEHIND|BEFORE|BEYOND|AT\s|WI\s|ABEAM)/;
const limited = /^\s*(?:TO|FOR)\s(?!WIP|MAINT|WORK)|\b(?:EXC|EXCEPT|WINGSPAN|LESS THAN|MORE THAN)\b/;
const closureMention = /\b(?:CLSD|CLOSED|CSLD)\b/;
const eachName = /(?<![A-Z0-9])(?!TWY|AND)[A-Z]{1,2}\d{0,2}[A-Z]?(?![A-Z0-9])/g;

/**
 * Reads closed exits: "ENTRY/EXIT A10W AND AB12/A12 CLSD", and taxiways closed entirely or between a runway and another
 * taxiway. A closed part that touches no runway closes no exit. A limit to some aircraft is a condition.
 */
export const readExits = (
  normalised: string,
  location: string | null,
  isTaxiwayCode: boolean,
): Interpretation => {
  const out: Interpretation = { effects: [], flags: [] };
  const letters = normalised.replace(spoken, (word) => word.charAt(0));
  for (const statement of statementsOf(letters, location)) {
    const found = (entryExit.exec(statement) ?? taxiway.exec(statement))?.groups;
    if (!found) {
      if (isTaxiwayCode && closureMention.test(statement)) out.flags.push('taxiway closure not understood');
      continue;
    }
    const { list, names: all = '', piece, tail = '' } = found;
    const partOf = piece ?? (part.test(tail) ? tail : undefined);
    const touched = partOf && runwayInside.exec(partOf)?.[0];
    if (partOf !== undefined && touched === undefined) {
      out.flags.push('part of a taxiway closed, away from the runways');
      continue;
    }
    const runways = designatorsIn(list ?? touched ?? '');
    const condition = limited.test(tail)
      ? `closed with exceptions: "${tail.trim().slice(0, 70)}"`
      : undefined;
    for (const each of new Set(all.match(eachName)))
      out.effects.push({ kind: 'exitClosed', name: each, runways, condition });
    if (condition !== undefined) out.flags.push(condition);
  }
  return out;
};

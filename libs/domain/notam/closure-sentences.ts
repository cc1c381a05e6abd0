import { closeList, closedWith, use, useOf, withoutDesignator } from './closure-words.ts';
import { readQualifiers } from './closure-qualifiers.ts';
import { runwayList } from './text.ts';
import { landing, takeoff } from './traffic.ts';
import type { Reading } from './types.ts';

const may = String.raw`(?:AVBL|AVAILABLE|USABLE|OPEN|LTD|LIMITED|RESTRICTED|USED|TO BE USED)`;
const taxiOnly = new RegExp(
  `^(${runwayList})\\s*(?:IS\\s+)?(?:(?:USABLE\\s+|AVBL\\s+|AVAILABLE\\s+)?(?:FOR\\s+)?TAX(?:I|IING)? ONLY|(?:USABLE ONLY|ONLY USABLE|ONLY AVBL) AS (?:TWY|TAXIWAY)|ONLY TO BE USED FOR TAXI)`,
);
const helicopterOnly = new RegExp(
  `^(${runwayList})\\s*(?:IS\\s+)?(?:OPEN|AVBL|AVAILABLE|RESERVED) (?:FOR|TO) (?:HELICOPTERS?|HEL|ROTARY WING ACFT) ONLY`,
);
const onlyUse = new RegExp(
  `^(${runwayList})\\s*:?\\s*(?:IS\\s+|ARE\\s+)?(?:${may}\\s+)?(?:(?:FOR|TO)\\s+)?(${takeoff}|${landing})(?:\\s+(?:OPS|OPERATIONS?))?\\s+ONLY(?![A-Z])(.*)$`,
);
const onlyForUse = new RegExp(
  `^(${runwayList})\\s*:?\\s*(?:IS\\s+|ARE\\s+)?(?:ONLY\\s+${may}|${may}\\s+ONLY)\\s+(?:FOR|TO)\\s+(${takeoff}|${landing})(?![A-Z])(.*)$`,
);
const noUse = new RegExp(`^NO\\s+${use}\\s+(?:(?:ON|FM|FROM)\\s+)?(${runwayList})(.*)$`);
const isOpen = String.raw`(?:\s+(?:IS|ARE|WILL BE))?\s+(?:AVBL|AVAILABLE|USABLE|OPEN)(?![A-Z])`;
const neither = new RegExp(
  `^NEITHER\\s+(?:OF\\s+)?(${runwayList}(?:\\s+N?OR\\s+(?:${runwayList}|\\d{2}[LCR]?\\s*\\/\\s*\\d{2}[LCR]?))*)${isOpen}(.*)$`,
);
const neitherRunway = new RegExp(`^NEITHER\\s+(?:RWYS?|RUNWAYS?)${isOpen}(.*)$`);
const closedFirst = new RegExp(`^(?:CLSD|CLOSED|CLOSURE OF)\\s*:?\\s*(?:THE\\s+)?(${runwayList})(.*)$`);

/** Sentences that close without a closure word behind the runway. Null: none of them. */
export const readSentence = (
  statement: string,
  isClosureCode: boolean,
  hasSchedule: boolean,
): Reading | null => {
  const taxi = taxiOnly.exec(statement);
  if (taxi) return { effects: closeList(taxi[1] ?? '', 'all', undefined), flags: [] };
  const single = onlyUse.exec(statement) ?? onlyForUse.exec(statement);
  if (single) {
    const closedUse = useOf(single[2] ?? '') === 'landing' ? 'takeoff' : 'landing';
    return closedWith(single[1] ?? '', readQualifiers(single[3] ?? '', hasSchedule), closedUse);
  }
  const none = noUse.exec(statement);
  if (none)
    return closedWith(none[2] ?? '', readQualifiers(none[3] ?? '', hasSchedule), useOf(none[1] ?? ''));
  const list = neither.exec(statement) ?? closedFirst.exec(statement);
  if (list) return closedWith(list[1] ?? '', readQualifiers(list[2] ?? '', hasSchedule));
  const both = neitherRunway.exec(statement);
  if (both) return withoutDesignator(readQualifiers(both[1] ?? '', hasSchedule), false, undefined);
  const helicopter = helicopterOnly.exec(statement);
  if (!helicopter || !isClosureCode) return null;
  return {
    effects: closeList(helicopter[1] ?? '', 'all', undefined),
    flags: ['open for helicopters only: read as closed for aeroplanes'],
  };
};

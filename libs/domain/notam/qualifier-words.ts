/** Words behind a closure word, as texts of regular expressions without groups that capture. */
import { allTraffic } from './traffic.ts';

export const joint = String.raw`\s*(?:AND|OR|\/|,|&)\s*`;
export const purpose = String.raw`(?:\s+(?:OPS|OPERATIONS?|ONLY|PURPOSES?|MOVEMENTS?|TFC|TRAFFIC|ACFT|AIRCRAFT|FLTS?|FLIGHTS?))?`;
export const ofAll = String.raw`(?:\s+(?:OF|BY|FOR|TO)\s+${allTraffic})?`;
export const every = String.raw`(?:(?:ALL|ANY|THE|OF|OPS|OPERATIONS?|TFC|TRAFFIC|ACFT|AIRCRAFT|FLIGHTS?|FLTS?)\s+)*`;
const weekday = String.raw`(?:MON|TUE|WED|THU|FRI|SAT|SUN)(?:S|DAYS?|SDAY|NESDAY|RSDAY|URDAY)?`;
const month = String.raw`(?:JAN(?:UARY)?|FEB(?:RUARY)?|MAR(?:CH)?|APR(?:IL)?|MAY|JUNE?|JULY?|AUG(?:UST)?|SEP(?:T|TEMBER)?|OCT(?:OBER)?|NOV(?:EMBER)?|DEC(?:EMBER)?)`;
const clock = String.raw`(?:\d{1,2}:?\d{2}(?:\/\d{4})?(?:Z|UTC|H|HR|HRS|LT|LMT)?|\d{1,2}|\d{8,10}|SR|SS|H24|20\d\d)`;
const someTime = String.raw`(?:${weekday}|${month}|${clock})(?![A-Z0-9])`;
export const timeWord = String.raw`(?:${someTime}|OF(?=\s+20\d\d)|(?:FM|FROM|TO|TIL|TILL|UNTIL|UNITL|UNTL|BTN|BETWEEN|AND|AT|ON|WEF|EFFECTIVE)(?=\s+(?:THE\s+)?${someTime})|DLY|DAILY|NIGHTLY|UTC|LMT|LT|HOURS?|HRS?|EST|FOR \d+ ?(?:MIN|MINUTES|DAYS?|HR|HRS|HOURS)|UFN|(?:UNTIL )?FURTHER (?:NOTICE|ADVISED?|ADVICE)|(?:PUBLIC )?HOL(?:IDAY)?S?|EACH DAY|TEMPO|TEMPORARILY|TEMPORARY|PERM|PERMANENTLY|COMPLETELY|FULLY|ENTIRELY|NOW|TODAY|TOTALLY|WITH IMMEDIATE EFFECT|IN BOTH DIRECTIONS|(?:FOR )?(?:ITS )?(?:FULL|WHOLE|ENTIRE) LENGTH)(?![A-Z0-9])`;

/** A statement about another thing after a comma or "AND": the closure itself is complete before it. */
export const unrelatedClause = String.raw`(?:NO|NIL|MET|ATC|ATS|AFIS|TWR|LIGHTS?|LGTS?|LGT|LIGHTED|LIGHTING|LGTD|ILS|PAPI|NAVAIDS?|NAV|RFFS|RFF|FUEL|TWYS?|TAXIWAYS?|APRONS?|APNS?|STANDS?|ALTN|NOT AVBL AS (?:AN? )?ALTN|DIVERSIONS?|SERVICES?|PILOTS?|EXPECT|EXP|EXER|CTN|CAUTION|MARKED|MARKINGS?|SIGNS?|CROSS(?:ES)?|BARRICADES?|BARRICADED|PERSONNEL|EQPT|EQUIPMENT|MEN|VEHICLES?|MACHINERY|CRANES?|OBST|OBSTACLES?|INFO|INFORMATION|TEL|PHONE|CTC|CONTACT|WDI|WIND|DECLARED|NEW|USE|USABLE AS (?:A )?(?:TWY|TAXIWAY)|AVBL AS (?:A )?(?:TWY|TAXIWAY)|AVBL FOR TAX\w*|TAX\w*|XNG|CROSSINGS?|BACKTRACK|HELIPADS?|FATO|STRIPS?|SWY|RESA|ACTUAL|CONDITIONS?|SNOW|SURFACE|SFC|ALL (?:TWYS?|APRONS?|SERVICES?)|ASSOCIATED|ADJACENT|STOPWAYS?|REF|SEE|REFER|RMKS?|NOTE|IAW|AS PER|ACCORDING|ENTRY|EXITS?|INTERSECTIONS?|OPPOSITE|LEFT|RIGHT|DAY|CHECK|MONITOR|FLW|FOLLOWING|TFC WILL|ARRESTING|BARRIERS?|CABLE|AIP)`;

/** What limits a closure does not belong to its cause. */
export const causeTerminators = String.raw`(?:EXC|EXCEPT|OTHER|DUE|BTN|BETWEEN|FM|FROM|FOR|TO|WHEN|DURING|DLY|DAILY|AT|UNTIL|TIL|RMK|RMKS|AND|OUTSIDE|${weekday}|${month})(?![A-Z])`;

/**
 * NOTAM vocabulary about runways, their permitted use, times and causes. Each constant is the source of a regular
 * expression without capturing groups, or a regular expression.
 */
type PatternOf = (texts: TemplateStringsArray, ...words: readonly string[]) => RegExp;
const patternOf =
  (flags: string): PatternOf =>
  (texts, ...words) =>
    new RegExp(String.raw(texts, ...words), flags);
/** Builds an expression from words; `everyPattern` finds all matches, `stickyPattern` matches at one position. */
export const pattern = patternOf('');
export const everyPattern = patternOf('g');
export const stickyPattern = patternOf('y');

export const runwayWord = String.raw`(?:RWYS?|RUNWAYS?|QFUS?|PISTES?|PISTA)`;
// T: true directions, used in the high Arctic.
export const designator = String.raw`(?:0?[1-9]|[12]\d|3[0-6])[LCR]?T?(?![A-Z0-9])`;

const pair = String.raw`${designator}(?:\s*\/\s*${designator}|-(?=[0-3]\d[LCR]?T?(?![A-Z0-9]))${designator})?`;
/** Words before a designator that do not change which runway is meant. */
const qualifier = String.raw`(?:PAVED|UNPAVED|GRASS|ASPH|ASPHALT|CONC|CONCRETE|GRAVEL|AIRSTRIP|STRIP|MAIN|BOTH|AIRPLANES?|PLANE|ALL|THE)`;
const surfaceAfter = String.raw`(?:\s*\(?(?:GRASS|ASPH|ASPHALT|CONC|CONCRETE|GRAVEL|PAVED|UNPAVED)\)?(?![A-Z]))?`;
const one = String.raw`(?:${qualifier}\s+)*(?:${runwayWord}[\s:-]*)(?:${qualifier}\s+)*${pair}${surfaceAfter}`;
const grass = String.raw`(?:(?:GRASS|UNPAVED|PAVED|ASPH|AIRSTRIP)\s+)+${pair}`;
// A bare "20T" in a list is a weight.
const next = String.raw`\s*(?:,\s*AND\s+|,\s*|\s+AND\s+|\s*&\s*|\s+ET\s+|\s*\+\s*)(?:${one}|${grass}|(?!\d+T(?!\s*\/))${pair}${surfaceAfter})`;

/** A list of runways: "RWY 15/33 AND 07/25", "GRASS RWY 06/24 AND RWY 16/34", "RWY18/36", "GRASS 10/28". */
export const runwayList = String.raw`(?:${one}|${grass})(?:${next})*`;

/** A closed runway, exit or part. */
export const closedWord = String.raw`(?:CLSD|CLOSED|CSLD|CLSED|UNUSABLE|UNAVAILABLE|UNAVBL|NOT AVBL|NOT AVAILABLE|NOT USABLE|NOT TO BE USED|NOT AUTH(?:ORIZED)?|NOT ALLOWED|NOT PERMITTED|UNSERVICEABLE|U\/S|PROHIBITED|FORBIDDEN|SUSPENDED|BLOCKED|OUT OF (?:SERVICE|USE)|WITHDRAWN FROM (?:SERVICE|USE))`;

/** Closed, in French, Spanish, Italian and Portuguese. Such a sentence is flagged, since NOTAM repeat it in English. */
export const closedElsewhere = String.raw`(?:FERME(?:E?S?)|FERMETURE|CERRAD[OA]S?|CLAUSURAD[OA]S?|CIERRE|CHIUS[OAEI]|FECHAD[OA]S?|INTERDIT(?:AD[OA])?E?S?|INUTILI[SZ]ABLES?|NO (?:DISPONIBLE|UTILIZABLE)S?|NON UTILISABLES?|PROHIBID[OA]S?|VIETAT[OAIE])`;
/** A runway or the aerodrome. */
export const place = String.raw`(?:RWYS?|RUNWAYS?|PISTES?|PISTAS?|AD|AERODROM[EO]|AEROPUERTO|AEROPORTO?|AIRPORT)\b`;

export const takeoff = String.raw`(?:TKOFS?|TKOFF|TAKE[ -]?OFFS?|TAKING OFF|DEP(?:S|ARTURES?|ARTING)?|T\/O)`;
export const landing = String.raw`(?:LDGS?|LANDINGS?|ARR(?:IVALS?|IVING)?)`;
export const anyUse = String.raw`(?:${takeoff}|${landing})`;

/** In the order of `Date.getUTCDay`. */
export const weekdays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
export const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
export const weekday = String.raw`(?:${weekdays.join('|')})(?:S|DAYS?|SDAY|NESDAY|RSDAY|URDAY)?`;
const month = String.raw`(?:JAN(?:UARY)?|FEB(?:RUARY)?|MAR(?:CH)?|APR(?:IL)?|MAY|JUNE?|JULY?|AUG(?:UST)?|SEP(?:T|TEMBER)?|OCT(?:OBER)?|NOV(?:EMBER)?|DEC(?:EMBER)?)`;

const clock = String.raw`(?:\d{1,2}:?\d{2}(?:\/\d{4})?(?:Z|UTC|H|HR|HRS|LT|LMT)?|\d{1,2}|\d{8,10}|SR|SS|H24|20\d\d)`;
const someTime = String.raw`(?:${weekday}|${month}|${clock})(?![A-Z0-9])`;
export const timeWord = String.raw`(?:${someTime}|OF(?=\s+20\d\d)|(?:FM|FROM|TO|TIL|TILL|UNTIL|UNITL|UNTL|BTN|BETWEEN|AND|AT|ON|WEF|EFFECTIVE)(?=\s+(?:THE\s+)?${someTime})|DLY|DAILY|NIGHTLY|UTC|LMT|LT|HOURS?|HRS?|EST|FOR \d+ ?(?:MIN|MINUTES|DAYS?|HR|HRS|HOURS)|UFN|(?:UNTIL )?FURTHER (?:NOTICE|ADVISED?|ADVICE)|(?:PUBLIC )?HOL(?:IDAY)?S?|EACH DAY|TEMPO|TEMPORARILY|TEMPORARY|PERM|PERMANENTLY|COMPLETELY|FULLY|ENTIRELY|NOW|TODAY|TOTALLY|WITH IMMEDIATE EFFECT|IN BOTH DIRECTIONS|(?:FOR )?(?:ITS )?(?:FULL|WHOLE|ENTIRE) LENGTH)(?![A-Z0-9])`;

/** The closure times are given only in words. */
export const unknownTime =
  /\b(?:OUTSIDE(?! (?:ACFT|TFC|AIRCRAFT|TRAFFIC))|DURING|DRG|WHEN|WHENEVER|WHILE|AFTER DARK|BY NIGHT|AT NIGHT|NIGHT ONLY|AFT|AFTER|BEFORE|PRIOR TO|WITHOUT ATC|UNLESS|SUBJECT TO|IF|INTERMITTENT(?:LY)?|OCCASIONALLY|OCCASIONAL|AT TIMES|AT SHORT NOTICE|EVERY)\b/;

const all = String.raw`(?:ALL|ANY|EVERY|THE|BOTH|NORMAL|REGULAR)`;
const traffic = String.raw`(?:TFC|TRAFFIC|ACFT|A\/C|AIRCRAFTS?|AEROPLANES?|AIRPLANES?|FLIGHTS?|FLTS?|FLYING|OPS|OPR|OPERATIONS?|MOVEMENTS?|USE|USERS|ACTIVITIES)`;
/** Kinds of traffic that include every airliner; all aircraft in this service are jets. */
const wide = String.raw`(?:(?:TURBO)?JETS?(?:[ -]?(?:POWERED|ENGINED?))?|CIV(?:IL(?:IAN)?)?|FIX(?:ED)?[ -]?WINGS?|AERONAUTICAL|AIR|FLIGHT|FLT|IFR\s*(?:AND|\/|&)\s*VFR|VFR\s*(?:AND|\/|&)\s*IFR|ARR(?:IVING)?\s*(?:AND|\/)\s*DEP(?:ARTING)?)`;
/** Traffic that includes airliners: "ALL TFC", "ALL CIV FLTS", "FIXED-WING ACFT", "USE". */
export const allTraffic = String.raw`(?:(?:${all}\s+)*(?:OF\s+)?(?:${wide}\s+)*${traffic}(?:\s*(?:AND|OR|\/)\s*${traffic}|\s+(?:OPS|OPERATIONS?|MOVEMENTS?))?|(?:${all}\s+)*FIX(?:ED)?[ -]?WINGS?|ALL(?=$|[\s,.]))(?![A-Z])`;

/** Limits a closure to some aircraft. */
export const someTraffic =
  /\b(?:ACFT|AIRCRAFTS?|A\/C|AEROPLANES?|FLTS?|TFC|TRAFFIC|LESS|MORE|OVER|GREATER|HEAVIER|LIGHTER|BELOW|BLW|ABOVE|ABV|EXCEEDING|WINGSPANS?|MTOW|MTOM|CODE|CAT|CATEGORY|ONLY|GLIDERS?|HEL(?:ICOPTERS?|OS?)?|HELI|ROTORCRAFT|VTOL|ULM|MICROLIGHTS?|TRAINING|TRG|CIRCUITS?|TRANSIENT|GA|BIZ|BUSINESS|JETS?|TURBOJETS?|TURBOPROPS?|PISTONS?|PROPS?|UAS|UAV|DRONES?|BALLOONS?|PARACHUT\w+|VFR|IFR|SVFR|NON-?SCHED(?:ULED)?|CHARTER|CARGO|MIL|MILITARY|CIV|CIVIL|PPR|EXC|EXCEPT|UNLESS|[AB]\d{3}|STUDENTS?|SOLO|TOUCH)\b/;

/** If excepted from a closure, an airliner may use the runway. */
export const airliners =
  /(?<!NON[- ])(?<!UN)\b(?:COMMERCIAL|SCHEDULED|SKED|SCHED|REGULAR|PLANNED|AIRLINES?|AIR CARRIERS?|LARGE|HEAVY|JETS?|TURBOJETS?|CODE [C-F]|CAT [C-E]|WINGSPAN|IFR|PASSENGER|PAX|CARGO|CIV|CIVIL (?:FLTS?|FLIGHTS?|ACFT|TFC)|(?:MORE THAN|ABOVE|ABV|OVER|EXCEEDING|GREATER THAN) \d|\d{5,6} ?(?:LBS?|KGS?)|(?:BOEING|AIRBUS)|[AB]7?[2-8]\d)\b/;

/** Always smaller than an airliner: "EXC ACFT LESS THAN 12500LBS". */
export const lightOnly =
  /\b(?:LESS THAN|BELOW|UNDER|BLW|UP TO|MAX) (?:\d{1,2}[ ,]?\d{3}|\d{2,4}) ?(?:LBS?|KGS?)\b/;

/** Excepted traffic that never includes airliners. */
export const nonAirliners =
  /\b(?:HEL(?:ICOPTERS?|OS?|S)?|HELI|ROTARY|ROTORCRAFT|EMERG\w*|AMBULANCES?|MED(?:EVACS?|ICAL)?|HOSP(?:ITAL)?|HEMS|LIFE ?(?:FLTS?|FLIGHTS?)|SAR|FIRE\w*|POLICE|STATE|MIL|MILITARY|GOVERNMENT|RESCUE|GLIDERS?|ULM|TAX\w*|TOW\w*|XNG|CROSS(?:INGS?)?|BACKTRACK|V-?22|VTOL|LESS THAN)\b/;

const adjective = String.raw`(?:ESSENTIAL|URGENT|EMERGENCY|EMERG|ROUTINE|PLANNED|SCHEDULED|REGULAR|PERIODIC(?:AL)?|ANNUAL|NIGHTLY|MAJOR|MINOR|GENERAL|VARIOUS|ONGOING|NECESSARY|RWY|RUNWAY|SFC|SURFACE|PAVEMENT|AD|AERODROME|ELECTRICAL|CONSTRUCTIONAL|CIVIL|HEAVY|SAFETY|RUBBER|SNOW|ICE|FOD|WEED|GRASS|OPERATIONAL|TECHNICAL|NAVAID|ILS|PAPI|LIGHTING|PARACHUTE JUMPING)`;
const work = String.raw`(?:WIP(?: IN PROGRESS)?|WORKS?(?: IN PROGRESS)?|MAINT(?:ENANCE)?|MAINT SER|CONST(?:RUCTION)?|RECONSTRUCTION|REPAIRS?|REHAB(?:ILITATION)?|REFURBISHMENT|RESURFACING|RENOVATION|RENEWAL|UPGRAD(?:E|ING)|OVERLAY|PAVING|PAINTING|MARKING|CLEANING|SWEEPING|REMOVAL|CLEARANCE|CLEARING|CUTTING|MOWING|INSPECTIONS?|SURVEY|TESTS?|TESTING|SNOW|ICE|ICING|FLOODING|DAMAGE|DEBRIS|SER|SERVICE|REASONS?|EXERCISES?|EVENTS?|AIR ?SHOW|AIR DISPLAY|FLIGHT CHECK|FLIGHT INSPECTION|FIREWORKS|RACE|CEREMONY|CALIBRATION|SWABBING|DE-?ICING|SEALING|EXCAVATION|GROOVING|FRICTION|FLOODED|WATERLOGGED(?: RWY)?|ICY|CONTAMINAT(?:ED|ION)|(?:SNOW|ICE) COVERED|MUD|SOFT)`;
/** "ESSENTIAL MAINT", "SNOW REMOVAL", "WIP". */
export const cause = String.raw`(?:${adjective}\s+)*${work}(?:\s+(?:${work}|AND\s+(?:${adjective}\s+)*${work}))*(?![A-Z])`;

/** Words that end a cause, because they limit the closure. */
export const causeTerminators = String.raw`(?:EXC|EXCEPT|OTHER|DUE|BTN|BETWEEN|FM|FROM|FOR|TO|WHEN|DURING|DLY|DAILY|AT|UNTIL|TIL|RMK|RMKS|AND|OUTSIDE|${weekday}|${month})(?![A-Z])`;

/** Begins a statement about something else after a comma or "AND"; the closure is complete before it. */
export const unrelatedClause = String.raw`(?:NO|NIL|MET|ATC|ATS|AFIS|TWR|LIGHTS?|LGTS?|LGT|LIGHTED|LIGHTING|LGTD|ILS|PAPI|NAVAIDS?|NAV|RFFS|RFF|FUEL|TWYS?|TAXIWAYS?|APRONS?|APNS?|STANDS?|ALTN|NOT AVBL AS (?:AN? )?ALTN|DIVERSIONS?|SERVICES?|PILOTS?|EXPECT|EXP|EXER|CTN|CAUTION|MARKED|MARKINGS?|SIGNS?|CROSS(?:ES)?|BARRICADES?|BARRICADED|PERSONNEL|EQPT|EQUIPMENT|MEN|VEHICLES?|MACHINERY|CRANES?|OBST|OBSTACLES?|INFO|INFORMATION|TEL|PHONE|CTC|CONTACT|WDI|WIND|DECLARED|NEW|USE|USABLE AS (?:A )?(?:TWY|TAXIWAY)|AVBL AS (?:A )?(?:TWY|TAXIWAY)|AVBL FOR TAX\w*|TAX\w*|XNG|CROSSINGS?|BACKTRACK|HELIPADS?|FATO|STRIPS?|SWY|RESA|ACTUAL|CONDITIONS?|SNOW|SURFACE|SFC|ALL (?:TWYS?|APRONS?|SERVICES?)|ASSOCIATED|ADJACENT|STOPWAYS?|REF|SEE|REFER|RMKS?|NOTE|IAW|AS PER|ACCORDING|ENTRY|EXITS?|INTERSECTIONS?|OPPOSITE|LEFT|RIGHT|DAY|CHECK|MONITOR|FLW|FOLLOWING|TFC WILL|ARRESTING|BARRIERS?|CABLE|AIP)`;

/** A part of the runway, not all of it. */
export const part =
  /\b(?:FIRST|FST|LAST|INITIAL|FINAL|PART|PORTION|SECTION|HALF|SIDE|BEYOND|ALONG|REMAINING)\b|\b(?:BTN|BETWEEN) (?!\d{4})|\b(?:N|S|E|W|NE|NW|SE|SW|NORTH|SOUTH|EAST|WEST) OF\b|\b(?:FM|FROM) (?:TWY|THR|INTERSECTION|INT\b|\d{1,3}(?!\d))|\b\d+ ?(?:M|FT)(?![A-Z])/;

/** The letters of tokens, over which the grammars are regular expressions. */
export const lettersOf = (tokens: readonly { t: string }[]): string => tokens.map(({ t }) => t).join('');

/** A sticky pattern and the token that it yields: undefined to skip the match, null if the text is not understood. */
export type Form<Token> = readonly [
  form: RegExp,
  make: (match: RegExpExecArray, now: Date | undefined) => Token | null | undefined,
];

/** Splits a text into tokens; at each position the first matching pattern wins. Null: not understood. */
export const lex = <Token>(text: string, forms: readonly Form<Token>[], now?: Date): Token[] | null => {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length;) {
    let match: RegExpExecArray | null = null;
    for (const [form, make] of forms) {
      form.lastIndex = at;
      match = form.exec(text);
      if (!match) continue;
      const token = make(match, now);
      if (token === null) return null;
      if (token !== undefined) tokens.push(token);
      break;
    }
    if (!match) return null;
    at += match[0].length;
  }
  return tokens;
};

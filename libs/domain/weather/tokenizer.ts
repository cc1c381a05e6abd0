import type { Group, ReportKind, Section, Token } from './groups.ts';
import { readGroup, readSpacedMiles } from './patterns.ts';
import { dayHour, readChangeTime, readPeriod, readSpecial, startsTafChange } from './periods.ts';

/** Reports have at most a few hundred characters; feeds reject longer ones. */
export const maxReportLength = 2_000;

interface State {
  kind: ReportKind;
  section: Section;
  station: boolean;
  time: boolean;
  /** The TAF prints its validity in the old form: hours without days. */
  oldValidity: boolean;
  validity: boolean;
  /** The previous word was a change word, so a period or a time may follow. */
  afterChange: boolean;
  /** Groups already found in this section. */
  seen: Set<Group['kind']>;
}

interface Read {
  group: Group;
  words: number;
}

/**
 * Splits a report into groups. Joining each `text`, plus one blank where `spaceSuffix` is true, restores the report
 * exactly. Never throws: unmatched words are `unknown`. Highlighting, decoded text, runway states and all values are
 * read from these tokens, so they cannot contradict each other.
 */
export const tokenize = (report: string, kind: ReportKind): Token[] => {
  const words = report.split(' ');
  const state: State = {
    kind,
    section: 'header',
    station: false,
    time: false,
    oldValidity: false,
    validity: false,
    afterChange: false,
    seen: new Set(),
  };
  const cores = words.map((word) => word.replace(/[=\s]+/g, ''));
  const tokens: Token[] = [];
  for (let i = 0; i < words.length;) {
    const read = readWord(cores, i, state);
    for (let w = 0; w < read.words; w++) {
      tokens.push({
        text: words[i + w] ?? '',
        spaceSuffix: i + w < words.length - 1,
        section: state.section,
        group: read.group,
        continued: w > 0,
      });
    }
    i += read.words;
  }
  return tokens;
};

const one = (group: Group): Read => ({ group, words: 1 });
const unknown = one({ kind: 'unknown' });

const readWord = (cores: readonly string[], i: number, state: State): Read => {
  const core = cores[i] ?? '';
  if (core === '') return one({ kind: 'blank' });
  if (state.section === 'remarks' && !(state.kind === 'TAF' && startsTafChange(cores, i))) {
    return one({ kind: core === '$' ? 'maintenance' : 'remark' });
  }
  if (state.section === 'other') return unknown;
  if (state.section === 'unread' && !startsTafChange(cores, i) && !core.startsWith('RMK'))
    return /^T[XN]M?\d/.test(core) ? readBodyWord(cores, i, state) : unknown;
  if (state.section === 'header') {
    const repeated = repeatedHeader(cores, i, state);
    if (repeated) return repeated;
    const group = readHeaderWord(core, cores[i + 1] ?? '', state);
    if (group) return one(group);
    state.section = 'body';
  }
  const remarkWords = wordsOfRemarkStart(cores, i, state.kind);
  if (remarkWords > 0) {
    state.section = 'remarks';
    return { group: { kind: 'remarkStart' }, words: remarkWords };
  }
  if (core === '$') return one({ kind: 'maintenance' });
  if (startsSecondReport(cores, i, state)) {
    state.section = 'other';
    return unknown;
  }
  const modifier = readModifier(core);
  if (modifier) return one(modifier);
  const change = readChange(cores, i, state);
  if (change) {
    state.section = 'change';
    state.afterChange = core !== 'NOSIG';
    state.seen = new Set(['temperature']);
    return change;
  }
  if (state.afterChange) {
    const period = readPeriod(core, state.oldValidity);
    state.afterChange = false;
    if (period) return one(period);
    const time = readChangeTime(core);
    state.afterChange = time !== null;
    if (time) return one(time);
  }
  // Such a period does not say whether its groups replace, change or may apply.
  const period = state.kind === 'TAF' ? readPeriod(core, false) : null;
  if (period?.kind === 'validity') {
    state.section = 'unread';
    return one({ kind: 'unreadPeriod', from: period.from });
  }
  return readBodyWord(cores, i, state);
};

const readBodyWord = (cores: readonly string[], i: number, state: State): Read => {
  const core = cores[i] ?? '';
  const next = cores[i + 1] ?? '';
  const miles = readSpacedMiles(cores, i);
  if (miles) return miles;
  if (core === 'WS') return readWindShear(cores, i);
  const special = readSpecial(core, state.kind);
  if (special) return one(special);
  // "VC RA" for "VCRA"
  const vicinity = core === 'VC' ? readGroup(`VC${next}`) : null;
  if (vicinity?.kind === 'weather') return { group: vicinity, words: 2 };
  const group = readGroup(core);
  // Additional sensors print separate winds: only the first in each section is the wind of the report.
  const isRepeated = (group.kind === 'wind' || group.kind === 'temperature') && state.seen.has(group.kind);
  // After the pressure come runway states, so a garbled one is not a visual range.
  const isMutilated = group.kind === 'rvr' && state.seen.has('pressure');
  // A visibility without its unit is not a temperature.
  const isFraction = /^M?\d\/[248]$/.test(core) && !state.seen.has('visibility') && !state.seen.has('cavok');
  if (isRepeated || isMutilated || isFraction) return unknown;
  state.seen.add(group.kind);
  if (group.kind === 'temperature') {
    // "24/1" at the end of the report was cut off by the source.
    const isCutOff = /\/M?\d$/.test(core) && cores.slice(i + 1).every((word) => word === '');
    if (isCutOff) return { group: { ...group, dewpointC: null }, words: 1 };
  }
  return one(group);
};

/** "LPST 211600Z METAR LPST 211600Z 35018KT": the source prints station and time twice. */
const repeatedHeader = (cores: readonly string[], i: number, state: State): Read | null => {
  const type = /^(?:METAR|SPECI|TAF)$/.test(cores[i] ?? '') ? 1 : 0;
  const icao = cores[i + type] ?? '';
  const isRepeated =
    state.time &&
    cores.indexOf(icao) < i &&
    cores.indexOf(icao) + 1 === cores.indexOf(cores[i + type + 1] ?? '');
  return isRepeated && /^[A-Z][A-Z0-9]{3}$/.test(icao)
    ? { group: { kind: 'station', icao }, words: type + 2 }
    : null;
};

/** RMK, also with blanks inside it; "AMD NOT SKED" and "AMD LTD TO …" in American TAFs announce no amendment. */
const wordsOfRemarkStart = (cores: readonly string[], i: number, kind: ReportKind): number => {
  const [core = '', next = ''] = cores.slice(i, i + 2);
  if (core.startsWith('RMK')) return 1;
  if ((core === 'R' && next === 'MK') || (core === 'RM' && next === 'K')) return 2;
  return kind === 'TAF' && core === 'AMD' && /^(?:NOT|LTD)$/.test(next) ? 1 : 0;
};

const readHeaderWord = (core: string, next: string, state: State): Group | null => {
  if (!state.station) {
    if (core === 'METAR' || core === 'SPECI' || core === 'TAF') return { kind: 'type', word: core };
    const modifier = readModifier(core);
    if (modifier) return modifier;
    if (!/^(?=.*[A-Z])[A-Z0-9]{4}$/.test(core)) return { kind: 'unknown' };
    state.station = true;
    return { kind: 'station', icao: core };
  }
  const time = state.time ? null : /^(\d{2})(\d{2})(\d{2})(Z?)$/.exec(core);
  // Six digits in a TAF are its validity in the old form, unless the new form follows.
  if (time && (time[4] || state.kind === 'METAR' || readPeriod(next, false))) {
    const [day, hour, minute] = [Number(time[1]), Number(time[2]), Number(time[3])];
    if (day < 1 || day > 31 || hour > 23 || minute > 59) return { kind: 'unknown' };
    state.time = true;
    return { kind: 'time', day, hour, minute };
  }
  const modifier = readModifier(core);
  if (modifier) return modifier;
  if (state.kind === 'METAR' || state.validity) return null;
  const old = /^(\d{2})(\d{2})(\d{2})$/.exec(core);
  const [from, to] = [dayHour(old?.[1], old?.[2]), dayHour(undefined, old?.[3])];
  if (old && from && to) {
    state.oldValidity = true;
    state.validity = true;
    return { kind: 'validity', from, to };
  }
  const validity = readPeriod(core, false);
  if (validity) state.validity = true;
  return validity;
};

const modifiers = ['AUTO', 'COR', 'AMD', 'NIL', 'CNL', 'RTD'] as const;

const readModifier = (core: string): Group | null => {
  const word = /^(?:CORR|CC[A-Z])$/.test(core) ? 'COR' : modifiers.find((known) => known === core);
  return word === undefined ? null : { kind: 'modifier', word };
};

const readChange = (cores: readonly string[], i: number, state: State): Read | null => {
  const core = cores[i] ?? '';
  const base = { kind: 'change', probability: null, from: null } as const;
  if (core === 'NOSIG' || core === 'TEMPO' || core === 'BECMG' || core === 'INTER')
    return one({ ...base, change: core });
  const probability = /^PROB(\d{2})$/.exec(core);
  if (probability) {
    const next = cores[i + 1];
    const combined = next === 'TEMPO' || next === 'INTER' ? next : null;
    const group: Group = { ...base, change: combined ?? 'PROB', probability: Number(probability[1]) };
    return { group, words: combined ? 2 : 1 };
  }
  const from = /^FM(\d{2})?(\d{2})(\d{2})Z?$/.exec(core);
  // After TEMPO or BECMG, FMhhmm in a METAR is the time of that change, not a new change.
  if (!from || (state.kind === 'METAR' && state.afterChange)) return null;
  const at = dayHour(from[1], from[2], from[3]);
  return at ? { group: { ...base, change: 'FM', from: at }, words: 1 } : null;
};

const readWindShear = (cores: readonly string[], i: number): Read => {
  let runway: string | null = null;
  let words = 1;
  for (; words <= 4; words++) {
    const m = /^(?:ALL|TKOF|LDG|RWY|(?:RWY|R)?((?:0[1-9]|[12]\d|3[0-6])[LCR]?))$/.exec(
      cores[i + words] ?? '',
    );
    // `WS RWY150` does not mean all runways.
    if (!m && /^R(?:WY)?\d+[A-Z]?$/.test(cores[i + words] ?? ''))
      return { group: { kind: 'unknown' }, words: words + 1 };
    if (!m) break;
    runway = m[1] ?? runway;
  }
  return { group: { kind: 'windShear', runway, heightFt: null, wind: null }, words };
};

/** Two reports joined together: the part after the second header belongs to another station or time. */
const startsSecondReport = (cores: readonly string[], i: number, state: State): boolean => {
  const next = /^[A-Z][A-Z0-9]{3}$/.test(cores[i] ?? '') ? (cores[i + 1] ?? '') : '';
  return state.time && /^\d{6}Z$/.test(next);
};

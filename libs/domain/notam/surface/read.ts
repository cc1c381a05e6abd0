/** Reads runway surface conditions in a NOTAM. */
import { parseNotamTime, timeNear } from '../time.ts';
import type { Notam } from '../types.ts';
import { codeOfBraking } from '../../weather/condition-of-state.ts';
import type { ReportedCode } from './contaminants.ts';
import { readThirds, withoutTreatment } from './deposits.ts';
import { stripOf } from './report.ts';
import type { SurfaceReading, SurfaceReport, SurfaceThird } from './report.ts';
import { readSnowtam } from './snowtam.ts';
import { everyPattern, months } from '../vocabulary.ts';

type Read = Pick<Notam, 'text' | 'fromUtc'>;

const ident = String.raw`\d{1,2}[LCR]?`;
const strip = `(${ident}(?:/${ident})?)`;
const ficon = everyPattern`\bRWY ${strip} FICON ((?:(?! FICON )[^]){1,400}?) ?OBS AT (\d{10})\b`;
/** NAV CANADA writes `RSC 10/28 WET.`, US military `RWY 10/28 RSC WET`. */
const rsc = everyPattern`\b(?:RSC ${strip}|(?:RWY|RUNWAY) ${strip} RSC:?) ([^]{1,400}?)(?:\.(?: |$)|(?: OBS AT (\d{10}))?(?:$|(?= (?:RWY|RUNWAY) ${ident}\S{0,4} RSC\b)))`;
/** US military reports append the decelerometer readings, `RCR 12`. */
const decelerometer = /\bRCR\b.*/;
const crfi = everyPattern`\bCRFI ${strip} (?:[-M]?\d{1,2}C? )?0?\.(\d{2})\b`;
/** Words after the deposits that are not about the surface. */
const aside = /^(?:VALID|LOOSE SNOW|RWY LGTS?|RUNWAY LIGHTS?)\b/;
const aboutOthers = /\b(?:ADDN|CRFI|RMK:? (?:TWY|APN|APRON))\b/;
const time = String.raw`([A-Z]{3}) (\d{2}) (\d{2})(\d{2})\b`;
const valid = everyPattern`\bVALID ${time}(?: ?- ?${time})?`;
/** Real reports are shorter. */
const maxLength = 8_000;

/** A friction coefficient (in hundredths) can only worsen a code. */
const cappedBy = (friction: number | null, thirds: SurfaceReport['thirds']): SurfaceReport['thirds'] => {
  const cap: ReportedCode = codeOfBraking(friction) ?? 6;
  const capped = (third: SurfaceThird): SurfaceThird =>
    third.code <= cap ? third : { ...third, code: cap, isCodeReported: true };
  // Good friction does not make a dry runway wet.
  return cap >= 5 ? thirds : [capped(thirds[0]), capped(thirds[1]), capped(thirds[2])];
};

const reading = (
  report: Omit<SurfaceReport, 'thirds' | 'observedAt'>,
  words: string,
  at: string | null,
  friction: number | null = null,
): SurfaceReading => {
  const thirds = readThirds(words.trim());
  return thirds && at !== null
    ? { reports: [{ ...report, thirds: cappedBy(friction, thirds), observedAt: at }], unread: [] }
    : { reports: [], unread: [report.text] };
};

/** Combines the readings; if there are none, the text itself is unread. */
const together = (all: readonly SurfaceReading[], text: string): SurfaceReading =>
  all.length === 0
    ? { reports: [], unread: [text.slice(0, 200)] }
    : { reports: all.flatMap(({ reports }) => reports), unread: all.flatMap(({ unread }) => unread) };

const readFicon = (text: string): SurfaceReading => {
  const found = [...text.matchAll(ficon)];
  const read = found.map(([sentence, named = '', words = '', observed = '']) =>
    reading(
      { format: 'FICON', runways: stripOf(named), text: sentence },
      words,
      parseNotamTime(observed)?.utc ?? null,
    ),
  );
  const isMissed = found.length > 0 && text.split(' FICON ').length > found.length + 1;
  return together([...read, ...(isMissed ? [{ reports: [], unread: [text.slice(0, 200)] }] : [])], text);
};

/** Sentences before the next report that may be about the surface. */
const unreadIn = (rest: string): string[] =>
  (rest.split(aboutOthers)[0] ?? '')
    .split(/\.(?: |$)/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => !aside.test(sentence) && withoutTreatment(sentence) !== '');

const readRsc = (text: string, { fromUtc }: Read): SurfaceReading => {
  const timeOf = ([month = '', ...rest]: readonly string[]) =>
    timeNear(months.indexOf(month) + 1, rest.map(Number), fromUtc);
  const times = [...text.matchAll(valid)].map(([, ...parts]) => ({
    start: timeOf(parts.slice(0, 4)),
    end: timeOf(parts.slice(4)),
  }));
  const frictions = [...text.matchAll(crfi)].map(([, named = '', hundredths]) => ({
    runways: stripOf(named),
    friction: Number(hundredths),
  }));
  const sentences = [...text.matchAll(rsc)];
  const missed = text.startsWith('RSC ') ? unreadIn(text.slice(0, sentences[0]?.index)) : [];
  return together(
    sentences.map((found, i) => {
      const [sentence, civil, military, words = '', observed] = found;
      const { start, end } = times[i] ?? times[0] ?? { start: fromUtc, end: null };
      const runways = stripOf(civil ?? military ?? '');
      const friction = frictions.find((one) => one.runways.some((runway) => runways.includes(runway)));
      const report = {
        format: 'RSC',
        runways,
        text: sentence.trim(),
        ...(end === null ? {} : { validUntil: end }),
      } as const;
      const at = observed === undefined ? start : (parseNotamTime(observed)?.utc ?? null);
      const read = reading(report, words.replace(decelerometer, ''), at, friction?.friction ?? null);
      const rest = text.slice(found.index + sentence.length, sentences[i + 1]?.index);
      const unread = [...read.unread, ...(decelerometer.exec(words) ?? []), ...unreadIn(rest)];
      return { ...read, unread: i === 0 ? [...missed, ...unread] : unread };
    }),
    text,
  );
};

const slippery = /\bSLIPPERY (?:CONDITIONS? )?(?:(?:WHEN|WHILE|IF|IN) )?WET\b/;
/** "NO LONGER SLIPPERY WHEN WET"; "TWY A SLIPPERY WHEN WET". */
const notSlippery =
  /\b(?:NOT|NO LONGER)\b[^.]{0,20}\bSLIPPERY\b|^(?!.*\b(?:RWY|RUNWAY)).*\b(?:TWY|TAXIWAY|APN|APRON)\b/;
/** Free text: "RWY 09/27, ALL TWY AND APN COVERED WITH ICE"; "BRAKING ACTION ON RWY 09/27 NIL". */
const plain =
  /\b(?:(?:COVERE?D|CONTAMINATED|UNDER|LAYERS?|PATCHES)\b.{0,60}\b(?:ICE|SNOW|SLUSH|WATER|FROST)|ICE PATCHES|ICY|SLIPPERY|BRAKING ACTION\b.{0,40}\b(?:POOR|MEDIUM|NIL|UNRELIABLE))\b/;
const notPlain =
  /^(?!.*\b(?:RWYS?|RUNWAYS?|MOVEMENT AREA)\b)|\b(?:WHEN|IF|IN CASE)\b|\b(?:NOT|NO LONGER) (?:BE )?(?:COV|CONT|SLIP)/;
const says = (text: string, words: RegExp, others: RegExp): boolean =>
  text.split(/\.(?: |$)/).some((sentence) => words.test(sentence) && !others.test(sentence));

/** Reads the runway surface reports in a NOTAM; most NOTAM contain none. */
export const readSurface = (notam: Read): SurfaceReading => {
  const text = notam.text.slice(0, maxLength).replace(/\s+/g, ' ').toUpperCase();
  if (text.startsWith('SNOWTAM ')) return readSnowtam(text, notam.fromUtc);
  if (/\bRWY \S{1,9} FICON\b/.test(text)) return readFicon(text);
  if (/^RSC \d|\b(?:RWY|RUNWAY) \S{1,9} RSC\b/.test(text)) return readRsc(text, notam);
  const isSlipperyWhenWet = says(text, slippery, notSlippery);
  const isUnread = !isSlipperyWhenWet && says(text, plain, notPlain);
  return { reports: [], unread: isUnread ? [text.slice(0, 200)] : [], isSlipperyWhenWet };
};

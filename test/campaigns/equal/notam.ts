/**
 * Everything that the readers find in NOTAM of the corpora, the labelled sets and the tests, and in random
 * modifications of their texts, as JSON lines: `npx node test/campaigns/equal/notam.ts > FILE`. The files
 * before and after a change of the readers are compared with `diff`.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseNotamFile } from '#data/feeds/notam/content.ts';
import { effectsAt } from '#test/support/notam-runway.ts';
import { readEffects } from '#domain/notam/effects.ts';
import { parseNotamTexts } from '#domain/notam/parse.ts';
import { parseSchedule } from '#domain/notam/schedule.ts';
import { inForceAt } from '#domain/notam/schedule-at.ts';
import { readSurface } from '#domain/notam/surface/read.ts';
import { officialReports } from '#domain/notam/surface/official.ts';
import type { Notam, NotamBatch } from '#domain/notam/types.ts';
import { randomFrom } from '#test/campaigns/equal/draws.ts';
import { sharedData } from '#test/support/shared-data.ts';

const now = new Date('2026-02-09T12:00:00Z');
const position = { latitudeDeg: 51, longitudeDeg: 8 };
const codes = ['QMRLC', 'QMRLT', 'QMRXX', 'QMDCH', 'QFALC', 'QMXLC', 'QOBCE'];
const changes = 60_000;
const hourMs = 3_600_000;

const print = (name: string, value: unknown): void => console.log(JSON.stringify([name, value]));

const inForceHours = (notam: Notam): string =>
  Array.from({ length: 60 }, (_, i) =>
    inForceAt(notam, new Date(now.getTime() + i * 7.25 * hourMs), position).charAt(0),
  ).join('');

const printNotam = (file: string, notam: Notam): void => {
  const { key, number, type, replacesKey, format, fir, locations, airports, qCode, fromUtc, toUtc } = notam;
  const { isEstimated, scheduleRaw, schedule, text, effects, flags, runways } = notam;
  print(`${file} ${key}`, {
    number,
    type,
    replacesKey,
    format,
    fir,
    locations,
    airports,
    qCode,
    fromUtc,
    toUtc,
  });
  print(`${file} ${key} read`, { isEstimated, scheduleRaw, schedule, text, effects, flags, runways });
  print(`${file} ${key} more`, [inForceHours(notam), readSurface(notam)]);
};

/** The effects of all NOTAM of an airport on each runway end that they name. */
const printRunways = (file: string, notams: readonly Notam[]): void => {
  for (const [icao = '', own] of Map.groupBy(notams, ({ airports }) => airports[0])) {
    const idents = [...new Set(own.flatMap(({ runways }) => runways))].toSorted();
    for (const ident of idents)
      for (const hour of [0, 14, 33]) {
        const at = new Date(now.getTime() + hour * hourMs);
        const facts = { icao, ident, lengthM: 3_000, toraM: 3_000, todaM: 3_100, asdaM: 3_050, ldaM: 2_800 };
        const under = effectsAt(own, { ...facts, displacedM: 200, airportIdents: idents, position }, at);
        const numbers = (list: readonly Notam[]) => list.map(({ key }) => key);
        const variants = under.variants.map((one) => ({
          ...one,
          notams: numbers(one.notams),
          decisive: numbers(one.decisive),
        }));
        const all = { ...under, variants, notams: numbers(under.notams), decisive: numbers(under.decisive) };
        print(`${file} ${icao} ${ident} +${hour}`, all);
      }
    print(
      `${file} ${icao} surface`,
      officialReports(
        own.map((one, id) => ({ ...one, id })),
        now,
        null,
      ),
    );
  }
};

const read = (text: string, qCode: string, more: object = {}) =>
  readEffects({ text, qCode, location: 'XXAA', hasSchedule: false, isFeet: false, ...more });

const domain = sharedData('airports/notam');
const labelled = sharedData('notam');
const relevant: Notam[] = [];
const take = (file: string, { records, rejects }: NotamBatch): void => {
  for (const notam of records) printNotam(file, notam);
  for (const { reason, raw } of rejects) print(`${file} reject`, [reason, raw.slice(0, 100)]);
  printRunways(file, records);
  relevant.push(...records.filter(({ effects, flags }) => effects.length + flags.length > 0));
};

for (const file of domain.names('icao-corpora'))
  take(file, parseNotamTexts(domain.text(`icao-corpora/${file}`), now));
for (const folder of ['faa', 'aixm-donlon'])
  for (const file of domain.names(folder))
    take(
      file,
      await parseNotamFile(file, domain.bytes(`${folder}/${file}`), now).catch((error: unknown) => ({
        records: [],
        rejects: [{ reason: String(error), raw: '' }],
      })),
    );
for (const file of ['unseen-labelled.jsonl', 'unseen-labelled-2.jsonl', 'ficon.jsonl'])
  for (const [index, line] of labelled.lines(file).entries()) {
    const { fed, raw } = JSON.parse(line) as { fed?: string | null; raw: string };
    take(`${file} ${index}`, parseNotamTexts(fed ?? raw, now));
  }
for (const line of labelled.lines('schedules-not-read.txt')) print(line, parseSchedule(line, now));

/** Every upper-case text in the tests. */
const tests = join(import.meta.dirname, '../../../libs/domain/notam');
for (const file of readdirSync(tests, { recursive: true, encoding: 'utf8' }).toSorted())
  if (file.endsWith('.test.ts'))
    for (const [, text = ''] of readFileSync(join(tests, file), 'utf8').matchAll(
      /['`]([^'`a-z\n]{8,})['`]/g,
    )) {
      for (const code of codes) print(`${file} ${code} ${text}`, read(text, code));
      print(`${file} schedule ${text}`, parseSchedule(text, now));
    }

const random = randomFrom(59);
const below = (count: number): number => Math.floor(random() * count);
const isAboutRunways = ({ qCode, format }: Notam): boolean =>
  format === 'faa' || /^Q(M|FA)/.test(qCode ?? '');
const texts = relevant.filter(isAboutRunways).map(({ text, qCode }) => ({ text, qCode: qCode ?? 'QXXXX' }));
const schedules = relevant.flatMap(({ scheduleRaw }) => scheduleRaw ?? []);
/** The text with some words dropped, moved, inserted or replaced by words of another text. */
const changed = (text: string, other: string): string => {
  const words = text.split(/(\s+|\b)/);
  const others = other.split(/(\s+|\b)/);
  for (let times = 1 + below(3); times > 0; times -= 1) {
    const at = below(words.length);
    const from = below(others.length);
    const kind = below(4);
    if (kind === 0) words.splice(at, 1 + below(4));
    else if (kind === 1) words.splice(at, 0, ...others.slice(from, from + 1 + below(8)));
    else if (kind === 2) words.splice(at, 1 + below(8), ...others.slice(from, from + 1 + below(8)));
    else words.push(...words.splice(at, 1 + below(4)));
  }
  return words.join('');
};
for (let i = 0; i < changes; i += 1) {
  const { text, qCode } = texts[below(texts.length)]!;
  const other = changed(text, texts[below(texts.length)]!.text);
  print(`changed ${i} ${other}`, read(other, qCode, { isFeet: i % 4 === 0, hasSchedule: i % 5 === 0 }));
  const schedule = changed(schedules[below(schedules.length)]!, schedules[below(schedules.length)]!);
  print(`changed ${i} ${schedule}`, parseSchedule(schedule, now));
}

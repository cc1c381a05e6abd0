/**
 * Everything read from the METAR and TAF in the shared data, as JSON lines: `npx node
 * test/campaigns/equal/weather.ts > FILE`. The files before and after a change of the readers are compared
 * with `diff`.
 */
import { createHash } from 'node:crypto';
import { categoryOf, ceilingFt } from '#domain/weather/category.ts';
import { decodedText } from '#domain/weather/decoded-text.ts';
import { forecastAnswer } from '#domain/weather/forecast-answer.ts';
import { highlight } from '#domain/weather/highlight.ts';
import { icing } from '#domain/weather/runway-condition.ts';
import { readReport } from '#domain/weather/report.ts';
import { runwayCondition } from '#domain/weather/runway-condition.ts';
import { runwayWind } from '#domain/weather/runway-wind.ts';
import { timeFromGroup } from '#domain/weather/times.ts';
import { randomFrom } from '#test/campaigns/equal/draws.ts';
import { sharedData } from '#test/support/shared-data.ts';

const now = new Date('2026-09-20T12:00:00Z');
const hourMs = 3_600_000;
const runways = ['04', '09L', '22', '27R', '36C'];
const bearings = runways.map((ident) => ({ ident, trueBearingDeg: Number(ident.slice(0, 2)) * 10 }));
const changes = 25_000;

const print = (text: string, value: unknown): void => {
  const json = JSON.stringify(value);
  const digest = createHash('sha1').update(json).digest('hex');
  console.log(JSON.stringify([text, digest]));
};

const metar = (text: string): void => {
  const report = readReport(text, 'METAR');
  const observedAt = report.time && timeFromGroup(report.time, now);
  print(text, [
    report,
    decodedText(report, observedAt, []),
    highlight(report.tokens),
    [categoryOf(report.main), ceilingFt(report.main)],
    runways.map((ident) => {
      const condition = runwayCondition(report, ident);
      return [
        condition,
        icing(report, condition),
        runwayWind(report.main.wind, Number(ident.slice(0, 2)) * 10),
      ];
    }),
  ]);
};

const taf = (text: string): void => {
  const report = readReport(text, 'TAF');
  const issuedAt = report.time && timeFromGroup(report.time, now);
  const issuedMs = issuedAt === null ? now.getTime() : Date.parse(issuedAt);
  print(text, [
    report,
    decodedText(report, issuedAt, []),
    highlight(report.tokens),
    [0, 3, 9, 17, 40].map((hours) => {
      const time = new Date(issuedMs + hours * hourMs).toISOString();
      return forecastAnswer({ raw: text, issuedAt: issuedAt ?? time }, bearings, time);
    }),
  ]);
};

const data = sharedData('weather');
const [metars, tafs] = [data.lines('metars.txt'), data.lines('tafs.txt')];
for (const text of metars) metar(text);
for (const text of tafs) taf(text);

/** Words of one report dropped, exchanged or replaced by those of another. */
const random = randomFrom(59);
const below = (count: number): number => Math.floor(random() * count);
const changed = (text: string, other: string): string => {
  const [words, others] = [text.split(' '), other.split(' ')];
  for (let times = 1 + below(3); times > 0; times -= 1) {
    const [at, from] = [2 + below(words.length), below(others.length)];
    words.splice(at, below(3), ...others.slice(from, from + below(4)));
  }
  return words.join(' ');
};
for (let i = 0; i < changes; i += 1) {
  metar(changed(metars[below(metars.length)]!, metars[below(metars.length)]!));
  taf(changed(tafs[below(tafs.length)]!, tafs[below(tafs.length)]!));
}

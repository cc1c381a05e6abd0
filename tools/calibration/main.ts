import { readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { aircraftProfileSchema } from '#domain/aircraft/profile.ts';
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { askedText, didYouMean } from '#platform/command-line.ts';
import { standardAircraft } from '#data/aircraft/profiles.ts';
import { writeAccuracy } from './accuracy.ts';
import { leastSquares } from './fit.ts';
import { readPath, writePath } from './paths.ts';
import { residualPlot, residualTable } from './plot.ts';
import { readProfile, writeProfile } from './profile-file.ts';
import { blockOf, byGroup, evaluate, fitResiduals } from './residuals.ts';
import { outsideTables } from './outside.ts';
import { calibrateTakeoff, keptTakeoffSection } from './takeoff/command.ts';
import type { OutsideTable } from './outside.ts';
import type { Dataset, Parameter, Point } from './types.ts';
import { outsideHeading, outsideSection, validationPage } from './report.ts';
import type { Section } from './report.ts';

const datasets = fileURLToPath(new URL('./data/', import.meta.url));
const pageFile = fileURLToPath(new URL('../../docs/performance-validation.md', import.meta.url));

/** Number of fits per stage and the distance of their starting points, as a share of the bounds. */
const starts = Number(process.env['STARTS'] ?? 5);
const spread = 0.4;

const datasetNames = async (): Promise<string[]> =>
  (await readdir(datasets)).filter((name) => name.endsWith('.ts')).map((name) => name.replace(/\.ts$/, ''));

const pointsOf = (aircraft: string, outside: readonly OutsideTable[]): Point[] =>
  outside.filter((table) => table.profile === aircraft).flatMap((table) => table.points);

/** The points of an aircraft in the repository, plus those of a file of outside points. */
const datasetOf = async (aircraft: string, outside: readonly OutsideTable[]): Promise<Dataset> => {
  const loaded: { default: Dataset } = await import(`./data/${aircraft}.ts`);
  const more = pointsOf(aircraft, outside).map((point) => ({
    ...point,
    weight: loaded.default.outsideWeight ?? 1,
  }));
  return { ...loaded.default, points: [...loaded.default.points, ...more] };
};

/** Best of several fits: the first starts from the profile's values, the others near the best one so far. */
const best = (
  residuals: (values: readonly number[]) => number[],
  start: readonly number[],
  parameters: readonly Parameter[],
): number[] => {
  let found = leastSquares(residuals, start, parameters);
  let seed = 1;
  const random = (): number => {
    seed = (seed * 48271) % 2147483647;
    return seed / 2147483647 - 0.5;
  };
  for (let i = 1; i < starts; i += 1) {
    const from = found.parameters.map((value, k) => {
      const bound = parameters[k] ?? { min: value, max: value };
      return value + random() * spread * (bound.max - bound.min);
    });
    const next = leastSquares(residuals, from, parameters);
    if (next.cost < found.cost) found = next;
  }
  return found.parameters;
};

/** Fits one set of parameters to the given points; leaves the values in the profile and in its JSON. */
const fitStage = (
  profile: AircraftProfile,
  json: Record<string, unknown>,
  parameters: readonly Parameter[],
  points: readonly Point[],
  dataset: Dataset,
): void => {
  if (parameters.length === 0) return;
  const apply = (values: readonly number[]): void => {
    parameters.forEach((p, i) => writePath(profile, p.path, values[i] ?? 0));
    for (const paths of dataset.rising ?? []) {
      let least = -Infinity;
      for (const path of paths) {
        least = Math.max(least, readPath(profile, path));
        writePath(profile, path, least);
      }
    }
  };
  const residuals = (values: readonly number[]): number[] => {
    apply(values);
    const priors = (dataset.priors ?? []).map(
      (prior) => (readPath(profile, prior.path) - prior.value) / prior.scale,
    );
    return [...fitResiduals(profile, points), ...priors];
  };
  const start = parameters.map((p) => readPath(profile, p.path));
  const rounded = best(residuals, start, parameters).map((value) => Number(value.toPrecision(5)));
  apply(rounded);
  parameters.forEach((p, i) => {
    const value = readPath(profile, p.path);
    const bound = value <= p.min || value >= p.max ? '  (at its bound)' : '';
    console.log(`${p.path.padEnd(46)} ${String(start[i]).padStart(12)} -> ${value}${bound}`);
    writePath(json, p.path, value);
  });
};

/** Fits the free parameters of one aircraft; prints old and new values and the residuals of every group. */
const fit = async (
  aircraft: string,
  outside: readonly OutsideTable[],
  only: string | undefined,
  write: boolean,
  verbose: boolean,
): Promise<void> => {
  const dataset = await datasetOf(aircraft, outside);
  const json = await readProfile(aircraft);
  const profile = aircraftProfileSchema.parse(json);
  for (const { groups, parameters } of dataset.stages) {
    if (only !== undefined && groups[0]?.startsWith(only) !== true) continue;
    const points = dataset.points.filter((point) => groups.some((group) => point.group.startsWith(group)));
    fitStage(profile, json, parameters, points, dataset);
  }
  const all = evaluate(profile, dataset.points);
  for (const group of byGroup(all)) {
    console.log(
      `${group.group.padEnd(40)} n=${String(group.count).padStart(4)}  rms ${group.rms.toFixed(2)}  max ${group.max.toFixed(2)}  bias ${group.bias.toFixed(2)}  ${group.error}`,
    );
  }
  if (verbose) {
    for (const { point, value, error } of all) {
      console.log(
        `${point.group} | ${point.name} | ${point.expected.toFixed(1)} | ${value.toFixed(1)} | ${error.toFixed(2)}`,
      );
    }
  }
  if (!write) return;
  await writeProfile(aircraft, json);
};

/** Points of an aircraft; none if it has no file. */
const datasetOrNone = async (aircraft: string, known: ReadonlySet<string>): Promise<Dataset> =>
  known.has(aircraft) ? datasetOf(aircraft, []) : { sources: [], points: [], stages: [] };

/** The page's section on outside tables: computed if a file of them is given, else unchanged. */
const outsidePart = async (
  outside: readonly OutsideTable[],
  profiles: ReadonlyMap<string, AircraftProfile>,
): Promise<string> => {
  if (outside.length > 0) return outsideSection(outside, profiles);
  const page = await readFile(pageFile, 'utf8');
  const from = page.indexOf(outsideHeading);
  const to = page.indexOf('\n## ', from + 1);
  return from < 0 ? '' : page.slice(from, to < 0 ? undefined : to);
};

/** Writes the validation page over all aircraft, and the RMS of their blocks into the profiles. */
const page = async (outside: readonly OutsideTable[]): Promise<void> => {
  const known = new Set(await datasetNames());
  const names = (await readdir(standardAircraft)).filter((name) => name.endsWith('.json')).toSorted();
  const profiles = new Map<string, AircraftProfile>();
  const sections: Section[] = [];
  for (const name of names) {
    const aircraft = name.slice(0, -'.json'.length);
    const json = await readProfile(aircraft);
    const profile = aircraftProfileSchema.parse(json);
    const dataset = await datasetOrNone(aircraft, known);
    profiles.set(aircraft, profile);
    sections.push({ profile, dataset });
    if (writeAccuracy(profile, dataset, pointsOf(aircraft, outside), json))
      await writeProfile(aircraft, json);
  }
  const takeoffs = keptTakeoffSection(await readFile(pageFile, 'utf8'));
  const landings = validationPage(sections, await outsidePart(outside, profiles));
  await writeFile(pageFile, takeoffs === '' ? landings : `${landings.trimEnd()}\n\n${takeoffs}`);
  console.log('written: docs/performance-validation.md');
};

/** Prints the residuals of one block (or of the groups that start with a text) and writes their plot. */
const showBlock = async (
  aircraft: string,
  outside: readonly OutsideTable[],
  block: string,
  file: string,
): Promise<void> => {
  const dataset = await datasetOf(aircraft, outside);
  const points = dataset.points.filter((point) => blockOf(point) === block || point.group.startsWith(block));
  if (points.length === 0) {
    const found = [...new Set(dataset.points.map(blockOf))].toSorted().join(', ');
    console.error(`No points of ${aircraft} belong to ${block}. Blocks with points: ${found || 'none'}.`);
    process.exitCode = 2;
    return;
  }
  const profile = aircraftProfileSchema.parse(await readProfile(aircraft));
  const residuals = evaluate(profile, points);
  console.log(residualTable(residuals));
  await writeFile(file, residualPlot(`${aircraft}, ${block}: ${residuals.length} points`, residuals));
  console.log(`written: ${file}`);
};

/**
 * `npm run calibrate -- <aircraft> [--stage <group>] [--write] [--verbose] [--outside <csv>]` fits; `-- <aircraft> --block <name>
 * [--svg <file>]` shows residuals; `-- --page [--outside <csv>]` writes the validation page.
 */
const usage =
  'usage: npm run calibrate -- <aircraft> [--stage <group>] [--write] [--verbose] [--block <name> [--svg <file>]] [--outside <csv>] | --page [--outside <csv>] | [<aircraft>] --takeoff --tables <folder> [--fit [--write]] [--page]';
const asked = askedText(process.argv.slice(2), () => usage);
if (asked !== null) {
  console.log(asked);
  process.exit(0);
}
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    page: { type: 'boolean', default: false },
    outside: { type: 'string', multiple: true },
    takeoff: { type: 'boolean', default: false },
    fit: { type: 'boolean', default: false },
    tables: { type: 'string' },
    block: { type: 'string' },
    stage: { type: 'string' },
    svg: { type: 'string', default: 'residuals.svg' },
  },
});
const [aircraft] = positionals;
if (values.takeoff) {
  process.exitCode = await calibrateTakeoff(aircraft, values, values.page ? pageFile : null);
  process.exit();
}
const outside = (await Promise.all((values.outside ?? []).map(outsideTables))).flat();
const known = await datasetNames();
if (aircraft !== undefined && !known.includes(aircraft)) {
  const near = didYouMean(aircraft, known);
  console.error(`There are no published points for ${aircraft}.${near} Available: ${known.join(', ')}.`);
  process.exit(2);
}
if (aircraft !== undefined && values.block !== undefined)
  await showBlock(aircraft, outside, values.block, values.svg);
else if (aircraft !== undefined) await fit(aircraft, outside, values.stage, values.write, values.verbose);
if (values.page) await page(outside);
if (aircraft === undefined && !values.page) {
  console.error(usage);
  process.exitCode = 2;
}

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { aircraftProfileSchema } from '#domain/aircraft/profile.ts';
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { standardAircraft } from '#data/aircraft/profiles.ts';
import { writeFileAtomic } from '#data/storage/atomic-file.ts';
import { writeAccuracy } from './calibration/accuracy.ts';
import { leastSquares } from './calibration/fit.ts';
import { readPath, writePath } from './calibration/paths.ts';
import { byGroup, evaluate, fitResiduals } from './calibration/residuals.ts';
import type { Dataset, Parameter, Point } from './calibration/types.ts';
import { validationPage } from './calibration/report.ts';

const datasets = fileURLToPath(new URL('./calibration/data/', import.meta.url));
const pageFile = fileURLToPath(new URL('../../docs/performance-validation.md', import.meta.url));

/** Number of fits per stage and the distance of their starting points, as a share of the bounds. */
const starts = Number(process.env['STARTS'] ?? 5);
const spread = 0.4;

const datasetOf = async (aircraft: string): Promise<Dataset> => {
  const loaded: { default: Dataset } = await import(`./calibration/data/${aircraft}.ts`);
  return loaded.default;
};

const rawProfile = async (aircraft: string): Promise<{ file: string; json: Record<string, unknown> }> => {
  const file = `${standardAircraft}${aircraft}.json`;
  return { file, json: JSON.parse(await readFile(file, 'utf8')) };
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
const fit = async (aircraft: string, write: boolean, verbose: boolean): Promise<void> => {
  const dataset = await datasetOf(aircraft);
  const { file, json } = await rawProfile(aircraft);
  const profile = aircraftProfileSchema.parse(json);
  for (const { groups, parameters } of dataset.stages) {
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
  await writeFileAtomic(file, `${JSON.stringify(json, null, 2)}\n`);
  console.log(`written: ${file}`);
};

/** Writes the validation page over all aircraft that have a dataset, and its RMS into their profiles. */
const page = async (): Promise<void> => {
  const names = (await readdir(datasets)).filter((name) => name.endsWith('.ts')).toSorted();
  const sections = [];
  const present = new Set(await readdir(standardAircraft));
  for (const name of names) {
    const aircraft = name.slice(0, -'.ts'.length);
    if (!present.has(`${aircraft}.json`)) {
      console.log(`no profile for the points of ${aircraft}`);
      continue;
    }
    const { file, json } = await rawProfile(aircraft);
    const section = { profile: aircraftProfileSchema.parse(json), dataset: await datasetOf(aircraft) };
    sections.push(section);
    if (writeAccuracy(section.profile, section.dataset, json as never)) {
      await writeFileAtomic(file, `${JSON.stringify(json, null, 2)}\n`);
      console.log(`written: accuracy of ${aircraft}`);
    }
  }
  await writeFile(pageFile, validationPage(sections));
  console.log('written: docs/performance-validation.md');
};

/** `npm run calibrate -- <aircraft> [--write] [--verbose]`, or `npm run calibrate -- --page` for the validation page. */
const args = process.argv.slice(2);
const aircraft = args.find((arg) => !arg.startsWith('--'));
const known = (await readdir(datasets)).map((name) => name.replace(/\.ts$/, ''));
if (aircraft !== undefined && !known.includes(aircraft)) {
  console.error(`There are no published points for ${aircraft}. Available: ${known.join(', ')}.`);
  process.exit(2);
}
if (aircraft !== undefined) await fit(aircraft, args.includes('--write'), args.includes('--verbose'));
if (args.includes('--page')) await page();
if (aircraft === undefined && !args.includes('--page')) {
  console.error('usage: npm run calibrate -- <aircraft> [--write] [--verbose] | --page');
  process.exitCode = 2;
}

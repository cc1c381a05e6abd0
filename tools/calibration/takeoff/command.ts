import { readdir, readFile, writeFile } from 'node:fs/promises';
import { aircraftProfileSchema } from '#domain/aircraft/profile.ts';
import { standardAircraft } from '#data/aircraft/profiles.ts';
import { readProfile, writeProfile } from '../profile-file.ts';
import { speeds737 } from './speed-tables.ts';
import { adjustmentGroups } from './adjustments.ts';
import { fitSpeeds } from './fit-speeds.ts';
import { fitTakeoff } from './fit-takeoff.ts';
import { tableNames, takeoffTables } from './points.ts';
import { statistics, takeoffGroups, takeoffHeading, takeoffSection } from './report-takeoff.ts';

/** Types without a published table of V2, which is fitted with the limits. */
const withoutV2: ReadonlySet<string> = new Set(['747-8', 'A380-842']);

/**
 * Prints the errors of the takeoff tables in a folder, of one aircraft or all; `fit` finds the parameters first, `write` stores
 * them; writes the section of the validation page when `pageFile` is given. Returns the exit status.
 */
export const calibrateTakeoff = async (
  aircraft: string | undefined,
  options: { tables?: string | undefined; fit: boolean; write: boolean },
  pageFile: string | null,
): Promise<number> => {
  const { tables: folder, fit, write } = options;
  if (folder === undefined) {
    console.error('--takeoff needs --tables <folder>, the folder of the published tables');
    return 2;
  }
  const names = (await readdir(standardAircraft)).filter((name) => name.endsWith('.json'));
  const ids = names.map((name) => name.slice(0, -'.json'.length)).toSorted();
  const sections = [];
  for (const id of ids.filter((each) => aircraft === undefined || each === aircraft)) {
    const json = await readProfile(id);
    const profile = aircraftProfileSchema.parse(json);
    const tables = await takeoffTables(folder, id);
    tables.speeds.push(...(await speeds737(folder, id)));
    const model = profile.takeoffPerformance;
    if (fit && model) {
      const isByRule = typeof model.v1 === 'object' && 'dry' in model.v1;
      if (isByRule) fitSpeeds(profile, model, tables.speeds);
      if (tableNames[id] !== undefined) fitTakeoff(profile, model, tables, !withoutV2.has(id));
      // The fit of the limits has changed the thrust law, and thus the thrust share of each speed point.
      if (isByRule) fitSpeeds(profile, model, tables.speeds);
    }
    const groups = [...takeoffGroups(profile, tables), ...(await adjustmentGroups(folder, profile))];
    sections.push({ profile, groups });
    for (const { table, use, errors } of groups)
      console.log([id.padEnd(14), table.padEnd(20), use.padEnd(6), ...statistics(errors)].join('  '));
    if (fit && write) await writeProfile(id, { ...json, takeoffPerformance: model });
  }
  if (pageFile === null) return 0;
  const page = await readFile(pageFile, 'utf8');
  const { before, after } = around(page);
  await writeFile(pageFile, `${before}${takeoffSection(sections)}${after}`);
  console.log('written: takeoff section of docs/performance-validation.md');
  return 0;
};

/** The validation page before and after its takeoff section, which is appended if missing. */
const around = (page: string): { before: string; after: string } => {
  const from = page.indexOf(takeoffHeading);
  if (from < 0) return { before: `${page.trimEnd()}\n\n`, after: '' };
  const to = page.indexOf('\n## ', from + 1);
  return { before: page.slice(0, from), after: to < 0 ? '' : page.slice(to) };
};

/** The takeoff section of a page; empty if missing. */
export const keptTakeoffSection = (page: string): string => {
  const { before, after } = around(page);
  return page.includes(takeoffHeading) ? page.slice(before.length, page.length - after.length) : '';
};

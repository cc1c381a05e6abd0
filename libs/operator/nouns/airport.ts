import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { z } from 'zod';
import { normaliseRunwayIdent } from '#domain/airports/ident.ts';
import type { OperatorRunwayInput } from '#domain/airports/operator.ts';
import { icaoField } from '#domain/fields/index.ts';
import { importOperatorCsv } from '#commands/airports.ts';
import { exportOperatorExits, exportOperatorRunways } from '#data/feeds/airports/operator-csv.ts';
import { airportOperatorRepo, airportOperatorWrites } from '#store/postgres/airports/operator.ts';
import { airportRepo } from '#store/postgres/airports/airports.ts';
import { runwayEndOf } from '#domain/airports/served.ts';
import { DomainError } from '#domain/errors.ts';
import { decimal, flagSwitch, givenOf, maybe, maybeInteger, maybeText, oneOf, row, text } from '../flags.ts';
import { change, found, localVerb, UsageError, view } from '../verb.ts';
import type { Flags, Noun, ValuesOf } from '../verb.ts';

const icaoSchema = icaoField({ missing: 'must be an ICAO code', invalid: 'must be an ICAO code' });
const identSchema = z.string().transform((given, ctx) => {
  const ident = normaliseRunwayIdent(given);
  if (ident === null) ctx.addIssue('must be a runway direction such as 07L');
  return ident ?? z.NEVER;
});
const author = {
  author: {
    schema: z.string().trim().min(1).default('operator'),
    text: 'Source of the data; stored with the entry.',
  },
};
const direction = {
  icao: row('airport', { schema: icaoSchema, text: 'Airport.' }),
  runway: { schema: identSchema, text: 'Direction, for example 07L.' },
  ...author,
};
const metres = (help: string) => maybe(decimal(help, 100, 10_000));
const maybeIcao = { icao: { schema: icaoSchema.optional(), text: 'One airport; default: all.' } };

type Entry = Omit<OperatorRunwayInput, 'icao' | 'ident'>;

/** Changes part of a runway direction's entry and keeps the rest. Empty entries are deleted. */
const setting = <const F extends Flags>(summary: string, flags: F, entryOf: (values: ValuesOf<F>) => Entry) =>
  change({
    summary,
    flags: { ...direction, ...flags },
    run: async ({ tx, now }, { icao, runway, author: by, ...values }) => {
      const known = (await airportRepo(tx).known([icao])).get(icao);
      const ident = (known && runwayEndOf(known, runway))?.ident ?? runway;
      const stored = async () =>
        (await airportOperatorRepo(tx).runways(icao)).find((each) => each.ident === ident);
      const entry = { ...(await stored()), ...entryOf(values as ValuesOf<F>), icao, ident };
      const changed = await airportOperatorWrites(tx).setRunway(entry, { author: by, at: now });
      return { data: { icao, runway: ident, changed, entry: (await stored()) ?? null } };
    },
  });

/** CSV import and export for one kind of entry. */
const csvOf = (
  kind: 'runways' | 'exits',
  what: string,
  csvFrom: (repo: ReturnType<typeof airportOperatorRepo>, icao: string | undefined) => Promise<string>,
) => ({
  [`${kind} import`]: localVerb({
    summary: `Imports ${what} from CSV.`,
    flags: {
      file: text('CSV file; blank cells are ignored, a row without values removes the entry.'),
      ...author,
    },
    run: async (tools, { file, author: by }) => {
      const bytes = await readFile(file);
      const done = await tools.change(async (tx, trail) => {
        const result = await importOperatorCsv(tx, bytes, { author: by, at: tools.now });
        if (result.kind !== kind)
          throw new DomainError('WRONG_FILE', {}, `${file} holds ${result.kind}, not ${kind}.`);
        const { rows, stored, rejects } = result;
        const after = { file: basename(file), kind, rows, stored, rejected: rejects.length };
        trail.noted('airport', 'many', null, after);
        return result;
      });
      return { data: { ...done } };
    },
  }),
  [`${kind} export`]: view({
    summary: 'Exports the same CSV.',
    flags: {
      ...maybeIcao,
      file: { ...maybeText('File to write; default: standard output.'), isLocal: true },
    },
    run: async ({ db }, { icao, file }) => {
      const csv = await csvFrom(airportOperatorRepo(db), icao);
      if (file === undefined) return { data: { csv }, text: csv.trimEnd() };
      await writeFile(file, csv);
      return { data: { file, rows: csv.trimEnd().split('\n').length - 1 } };
    },
  }),
});

export const airport: Noun = {
  name: 'airport',
  title: 'Airports',
  summary: 'Operator airport data, merged over every import.',
  kind: 'airport',
  verbs: {
    list: view({
      summary: 'Operator entries, and those whose runway no longer exists.',
      flags: maybeIcao,
      run: async ({ db }, { icao }) => {
        const repo = airportOperatorRepo(db);
        return {
          data: {
            runways: await repo.runways(icao),
            exits: await repo.exits(icao),
            orphans: await repo.orphans(),
          },
        };
      },
    }),
    'efp set': setting(
      'Sets the engine-failure procedure of a direction.',
      {
        text: { ...text('The procedure.'), isLong: true },
        accelerationAltitudeFt: maybeInteger('Acceleration altitude in feet.', -1_500),
        turn: maybe(oneOf(['none', 'left', 'right'], 'Turn direction: none, left or right.')),
      },
      ({
        text: efpText,
        accelerationAltitudeFt: efpAccelerationAltitudeFt = null,
        turn: efpTurn = null,
      }) => ({
        efpKind: 'custom',
        efpText,
        efpAccelerationAltitudeFt,
        efpTurn,
      }),
    ),
    'efp clear': setting('Restores the standard engine-failure procedure.', {}, () => ({
      efpKind: 'std',
      efpText: null,
      efpAccelerationAltitudeFt: null,
      efpTurn: null,
    })),
    'declared set': setting(
      'Sets declared distances; omitted ones are unchanged.',
      {
        toraM: metres('Take-off run available in metres.'),
        todaM: metres('Take-off distance available in metres.'),
        asdaM: metres('Accelerate-stop distance available in metres.'),
        ldaM: metres('Landing distance available in metres.'),
      },
      (distances) => {
        const given = givenOf(distances);
        if (Object.keys(given).length > 0) return given;
        throw new UsageError('at least one is required: --tora-m, --toda-m, --asda-m, --lda-m');
      },
    ),
    'declared clear': setting('Restores the declared distances of the sources.', {}, () => ({
      toraM: null,
      todaM: null,
      asdaM: null,
      ldaM: null,
    })),
    'macg set': setting(
      'Sets the missed-approach climb gradient of a direction.',
      { percent: decimal('Gradient in percent.', 0, 15) },
      ({ percent }) => ({ macgPercent: percent }),
    ),
    'macg clear': setting('Restores the standard gradient.', {}, () => ({ macgPercent: null })),
    ...csvOf('runways', 'declared distances, procedures and gradients', async (repo, icao) =>
      exportOperatorRunways(await repo.runways(icao)),
    ),
    ...csvOf('exits', 'runway exits', async (repo, icao) => exportOperatorExits(await repo.exits(icao))),
    'exits set': change({
      summary: 'Adds or replaces one exit.',
      flags: {
        ...direction,
        name: text('Name of the exit, for example A3.'),
        distanceM: decimal('Distance from the landing threshold in metres.', 0, 10_000),
        side: maybe(oneOf(['left', 'right'], 'left or right.')),
        angleDeg: maybe(decimal('Angle in degrees.', 0, 180)),
        hidden: flagSwitch('Hides the computed exit of this name.'),
      },
      run: async ({ tx, now }, { runway: ident, author: by, hidden: isHidden, ...given }) => {
        const { side = null, angleDeg = null } = given;
        const exit = { ...given, ident, side, angleDeg, isHidden };
        const changed = await airportOperatorWrites(tx).setExit(exit, { author: by, at: now });
        return { data: { ...exit, changed } };
      },
    }),
    'exits remove': change({
      summary: 'Removes an operator exit; the computed one is shown again.',
      flags: { icao: direction.icao, runway: direction.runway, name: text('Name of the exit.') },
      run: async ({ tx, now }, { icao, runway, name }) => {
        const isRemoved = await airportOperatorWrites(tx).removeExit(icao, runway, name.toUpperCase(), now);
        found(Number(isRemoved), `There is no exit ${name} of the operator on this runway.`);
      },
    }),
  },
};

import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { z } from 'zod';
import { normaliseRunwayIdent } from '#domain/airports/ident.ts';
import { operatorRunwaySchema } from '#domain/airports/operator.ts';
import { icaoField } from '#domain/fields/index.ts';
import { importOperatorCsv } from '#commands/airports.ts';
import { exportOperatorExits, exportOperatorRunways } from '#data/feeds/airports/operator-csv.ts';
import { airportOperatorRepo, airportOperatorWrites } from '#store/postgres/airports/operator.ts';
import { airportRepo } from '#store/postgres/airports/airports.ts';
import { runwayEndOf } from '#domain/airports/served.ts';
import { decimal, flagSwitch, givenOf, maybe, maybeText, oneOf, row, text, parsed } from '../flags.ts';
import { change, found, localVerb, UsageError, view } from '../verb.ts';
import type { Noun } from '../verb.ts';

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
const maybeIcao = { icao: { schema: icaoSchema.optional(), text: 'One airport; default: all.' } };

const { shape } = operatorRunwaySchema;

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
    'runway set': change({
      summary:
        'Sets data of a runway direction; omitted flags leave the value unchanged, an empty text restores that of the sources.',
      flags: {
        ...direction,
        toraM: parsed(shape.toraM, 'Take-off run available in metres.', Number),
        todaM: parsed(shape.todaM, 'Take-off distance available in metres.', Number),
        asdaM: parsed(shape.asdaM, 'Accelerate-stop distance available in metres.', Number),
        ldaM: parsed(shape.ldaM, 'Landing distance available in metres.', Number),
        isClosed: parsed(
          z.boolean('must be yes or no').nullable(),
          'yes: closed; no: open although the sources say closed.',
          (given) => ({ yes: true, no: false })[given] ?? given,
        ),
        efpText: { ...parsed(shape.efpText, 'Engine-failure procedure.'), isLong: true },
        efpAccelerationAltitudeFt: parsed(
          shape.efpAccelerationAltitudeFt,
          'Its acceleration altitude in feet.',
          Number,
        ),
        efpTurn: maybe(oneOf(['none', 'left', 'right'], 'Its turn direction: none, left or right.')),
        macgPercent: parsed(shape.macgPercent, 'Missed-approach climb gradient in percent.', Number),
        note: parsed(shape.note, 'Note for operators.'),
      },
      run: async ({ tx, now }, { icao, runway, author: by, ...flags }) => {
        const given = givenOf(flags);
        if (Object.keys(given).length === 0) throw new UsageError('Give a value to set.');
        const { efpText } = given;
        const procedure = efpText !== undefined && {
          efpKind: efpText === null ? ('std' as const) : ('custom' as const),
          efpAccelerationAltitudeFt: null,
          efpTurn: null,
        };
        const known = (await airportRepo(tx).known([icao])).get(icao);
        const ident = (known && runwayEndOf(known, runway))?.ident ?? runway;
        const stored = async () =>
          (await airportOperatorRepo(tx).runways(icao)).find((each) => each.ident === ident);
        const entry = { ...(await stored()), ...procedure, ...given, icao, ident };
        const changed = await airportOperatorWrites(tx).setRunway(entry, { author: by, at: now });
        return { data: { icao, runway: ident, changed, entry: (await stored()) ?? null } };
      },
    }),
    import: localVerb({
      summary: 'Imports runways or exits from CSV, depending on its columns; each row replaces its entry.',
      flags: {
        file: text('CSV file as exported; blank cells are no value, a row without values removes the entry.'),
        ...author,
      },
      run: async (tools, { file, author: by }) => {
        const bytes = await readFile(file);
        const done = await tools.change(async (tx, trail) => {
          const result = await importOperatorCsv(tx, bytes, { author: by, at: tools.now });
          const { rejects, ...counts } = result;
          const after = { file: basename(file), ...counts, rejected: rejects.length };
          trail.noted('airport', 'many', null, after);
          return result;
        });
        return { data: { ...done } };
      },
    }),
    export: view({
      summary: 'Exports the CSV of runways or exits.',
      flags: {
        kind: oneOf(['runways', 'exits'], 'runways or exits.'),
        ...maybeIcao,
        file: { ...maybeText('File to write; default: standard output.'), isLocal: true },
      },
      run: async ({ db }, { kind, icao, file }) => {
        const repo = airportOperatorRepo(db);
        const csv =
          kind === 'exits'
            ? exportOperatorExits(await repo.exits(icao))
            : exportOperatorRunways(await repo.runways(icao));
        if (file === undefined) return { data: { csv }, text: csv.trimEnd() };
        await writeFile(file, csv);
        return { data: { file, rows: csv.trimEnd().split('\n').length - 1 } };
      },
    }),
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

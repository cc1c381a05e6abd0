import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { z } from 'zod';
import { normaliseRunwayIdent } from '#domain/airports/ident.ts';
import type { OperatorRunwayInput } from '#domain/airports/operator.ts';
import { icaoField } from '#domain/fields/index.ts';
import { importOperatorCsv } from '#commands/airports.ts';
import { exportOperatorExits, exportOperatorRunways } from '#data/feeds/airports/operator-csv.ts';
import { airportOperatorRepo, airportOperatorWrites } from '#store/postgres/airports/operator.ts';
import type { Author } from '#store/postgres/airports/operator.ts';
import { airportRepo } from '#store/postgres/airports/airports.ts';
import { runwayEndOf } from '#domain/airports/served.ts';
import { DomainError } from '#domain/errors.ts';
import { flagSwitch, maybe, maybeInteger, maybeText, oneOf, row, text } from '../flags.ts';
import { found, localVerb, UsageError, verb, view } from '../verb.ts';
import type { Answer, Noun, OperatorTools } from '../verb.ts';

const icaoSchema = icaoField({ missing: 'must be an ICAO code', invalid: 'must be an ICAO code' });
const identSchema = z.string().transform((given, ctx) => {
  const ident = normaliseRunwayIdent(given);
  if (ident === null) ctx.addIssue('must be a runway direction such as 07L');
  return ident ?? z.NEVER;
});
const numberText = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+(\.\d+)?$/, 'must be a number')
    .transform(Number)
    .pipe(z.number().min(min).max(max));

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
const metres = (help: string) => ({ schema: numberText(100, 10_000).optional(), text: help });
const file = text('CSV file; blank cells are ignored, a row without values removes the entry.');

type Entry = Omit<OperatorRunwayInput, 'icao' | 'ident'>;

/** Changes part of a direction's entry and keeps the rest. An entry without values is deleted. */
const changeEntry = async (
  tools: OperatorTools,
  given: { icao: string; runway: string; author: string },
  entry: Entry,
): Promise<Answer> => {
  const result = await tools.change(async (tx) => {
    const known = (await airportRepo(tx).known([given.icao])).get(given.icao);
    const ident = (known && runwayEndOf(known, given.runway))?.ident ?? given.runway;
    const repo = airportOperatorRepo(tx);
    const before = (await repo.runways(given.icao)).find((stored) => stored.ident === ident);
    const by: Author = { author: given.author, at: tools.clock.now() };
    const changed = await airportOperatorWrites(tx).setRunway(
      { ...before, ...entry, icao: given.icao, ident },
      by,
    );
    const after = (await repo.runways(given.icao)).find((stored) => stored.ident === ident) ?? null;
    return { icao: given.icao, runway: ident, changed, entry: after };
  });
  return { data: result };
};

const exported = async (csv: string, path: string | undefined): Promise<Answer> => {
  if (path === undefined) return { data: { csv }, text: csv.trimEnd() };
  await writeFile(path, csv);
  return { data: { file: path, rows: csv.trimEnd().split('\n').length - 1 } };
};

const importing = (summary: string, kind: 'runways' | 'exits') =>
  localVerb({
    summary,
    flags: { file, ...author },
    run: async ({ change, clock }, values) => {
      const bytes = await readFile(values.file);
      const result = await change(async (tx, trail) => {
        const done = await importOperatorCsv(tx, bytes, { author: values.author, at: clock.now() });
        if (done.kind !== kind)
          throw new DomainError('WRONG_FILE', {}, `${values.file} holds ${done.kind}, not ${kind}.`);
        trail.noted('airport', 'many', null, {
          file: basename(values.file),
          kind,
          rows: done.rows,
          stored: done.stored,
          rejected: done.rejects.length,
        });
        return done;
      });
      return { data: { ...result } };
    },
  });

const maybeIcao = { icao: { schema: icaoSchema.optional(), text: 'One airport; default: all.' } };
const target = { file: { ...maybeText('File to write; default: standard output.'), isLocal: true } as const };

export const airport: Noun = {
  name: 'airport',
  title: 'Airports',
  summary: 'Operator airport data, merged over every import.',
  kind: 'airport',
  verbs: {
    list: view({
      summary: 'Operator entries, and those whose runway no longer exists.',
      flags: maybeIcao,
      run: async ({ postgres: { db } }, { icao }) => {
        const repo = airportOperatorRepo(db);
        const [runways, exits, orphans] = [
          await repo.runways(icao),
          await repo.exits(icao),
          await repo.orphans(),
        ];
        return { data: { runways, exits, orphans }, table: runways.map((runway) => ({ ...runway })) };
      },
    }),
    'efp set': verb({
      summary: 'Sets the engine-failure procedure of a direction.',
      flags: {
        ...direction,
        text: { ...text('The procedure.'), isLong: true },
        'acceleration-altitude-ft': maybeInteger('Acceleration altitude in feet.', -1_500),
        turn: maybe(oneOf(['none', 'left', 'right'], 'Turn direction: none, left or right.')),
      },
      run: (ops, values) =>
        changeEntry(ops, values, {
          efpKind: 'custom',
          efpText: values.text,
          efpAccelerationAltitudeFt: values['acceleration-altitude-ft'] ?? null,
          efpTurn: values.turn ?? null,
        }),
    }),
    'efp clear': verb({
      summary: 'Restores the standard engine-failure procedure.',
      flags: direction,
      run: (ops, values) =>
        changeEntry(ops, values, {
          efpKind: 'std',
          efpText: null,
          efpAccelerationAltitudeFt: null,
          efpTurn: null,
        }),
    }),
    'declared set': verb({
      summary: 'Sets declared distances; omitted ones are unchanged.',
      flags: {
        ...direction,
        'tora-m': metres('Take-off run available in metres.'),
        'toda-m': metres('Take-off distance available in metres.'),
        'asda-m': metres('Accelerate-stop distance available in metres.'),
        'lda-m': metres('Landing distance available in metres.'),
      },
      run: (ops, values) => {
        const given = {
          toraM: values['tora-m'],
          todaM: values['toda-m'],
          asdaM: values['asda-m'],
          ldaM: values['lda-m'],
        };
        const entry = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
        if (Object.keys(entry).length === 0) {
          throw new UsageError('at least one is required: --tora-m, --toda-m, --asda-m, --lda-m');
        }
        return changeEntry(ops, values, entry);
      },
    }),
    'declared clear': verb({
      summary: 'Restores the declared distances of the sources.',
      flags: direction,
      run: (ops, values) => changeEntry(ops, values, { toraM: null, todaM: null, asdaM: null, ldaM: null }),
    }),
    'macg set': verb({
      summary: 'Sets the missed-approach climb gradient of a direction.',
      flags: { ...direction, percent: { schema: numberText(0, 15), text: 'Gradient in percent.' } },
      run: (ops, values) => changeEntry(ops, values, { macgPercent: values.percent }),
    }),
    'macg clear': verb({
      summary: 'Restores the standard gradient.',
      flags: direction,
      run: (ops, values) => changeEntry(ops, values, { macgPercent: null }),
    }),
    'runways import': importing('Imports declared distances, procedures and gradients from CSV.', 'runways'),
    'runways export': view({
      summary: 'Exports the same CSV.',
      flags: { ...maybeIcao, ...target },
      run: async ({ postgres: { db } }, values) =>
        exported(exportOperatorRunways(await airportOperatorRepo(db).runways(values.icao)), values.file),
    }),
    'exits import': importing('Imports runway exits from CSV.', 'exits'),
    'exits export': view({
      summary: 'Exports the same CSV.',
      flags: { ...maybeIcao, ...target },
      run: async ({ postgres: { db } }, values) =>
        exported(exportOperatorExits(await airportOperatorRepo(db).exits(values.icao)), values.file),
    }),
    'exits set': verb({
      summary: 'Adds or replaces one exit.',
      flags: {
        ...direction,
        name: text('Name of the exit, for example A3.'),
        'distance-m': {
          schema: numberText(0, 10_000),
          text: 'Distance from the landing threshold in metres.',
        },
        side: maybe(oneOf(['left', 'right'], 'left or right.')),
        'angle-deg': { schema: numberText(0, 180).optional(), text: 'Angle in degrees.' },
        hidden: flagSwitch('Hides the computed exit of this name.'),
      },
      run: async (tools, values) => {
        const exit = {
          icao: values.icao,
          ident: values.runway,
          name: values.name,
          side: values.side ?? null,
          distanceM: values['distance-m'],
          angleDeg: values['angle-deg'] ?? null,
          isHidden: values.hidden,
        };
        const changed = await tools.change((tx) =>
          airportOperatorWrites(tx).setExit(exit, { author: values.author, at: tools.clock.now() }),
        );
        return { data: { ...exit, changed } };
      },
    }),
    'exits remove': verb({
      summary: 'Removes an operator exit; the computed one is shown again.',
      flags: { icao: direction.icao, runway: direction.runway, name: text('Name of the exit.') },
      run: async (tools, values) => {
        const name = values.name.toUpperCase();
        await tools.change(async (tx) =>
          found(
            (await airportOperatorWrites(tx).removeExit(
              values.icao,
              values.runway,
              name,
              tools.clock.now(),
            )) || null,
            `There is no exit ${name} of the operator on this runway.`,
          ),
        );
        return { data: { icao: values.icao, runway: values.runway, name, removed: true } };
      },
    }),
  },
};

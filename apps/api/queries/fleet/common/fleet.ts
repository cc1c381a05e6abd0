import { z } from 'zod';
import type { Logger } from 'pino';
import { deletedError } from '#domain/fields/deletion.ts';
import { fleetIdentity, fleetIdentitySchema } from '#domain/fleet/row.ts';
import { DomainError } from '#domain/errors.ts';
import { airlineToChange } from '#commands/virtual-airlines.ts';
import { fleetRepo } from '#store/postgres/fleet/fleet.ts';
import type { ReadDb, Tx } from '#store/postgres/sql.ts';
import type { Fleet, FleetOwner, FleetProfile } from '#domain/fleet/types.ts';
import type { Caller } from '#domain/users/types.ts';
import type { VaInput } from '#domain/virtual-airlines/fields.ts';
import { mergeChain } from '#domain/fleet/aircraft.ts';
import type { FileStorage } from '#domain/ports.ts';
import type { ErrorTable } from '../../../errors.ts';
import { storageErrors } from '../../users/common/users.ts';
import { airlineToRead, vaErrors } from '../../virtual-airlines/common/va.ts';
import type { Needs } from '../../../handler-context.ts';
import type { AircraftLibrary } from '../../../services/aircraft-library.ts';

const profileErrors = {
  ...vaErrors,
  INVALID_REGISTRATION: {
    status: 400,
    message: 'A registration has 1 to 30 letters, digits and hyphens.',
  },
  NOT_FOUND: { status: 404, message: 'There is no such fleet profile.' },
} as const satisfies ErrorTable;

export const readErrors = {
  ...profileErrors,
  FILE_NOT_FOUND: { status: 500, message: 'The file of this profile is missing.' },
} as const satisfies ErrorTable;

const conflict = {
  VERSION_CONFLICT: {
    status: 409,
    message: 'Another revision of this profile is stored. Take it over, or save again with its revision.',
    extra: z.strictObject({ current: fleetIdentitySchema.nullable() }),
  },
} as const satisfies ErrorTable;

export const deleteErrors = {
  ...profileErrors,
  ...conflict,
  INVALID_FIELD: 400,
  DB_ERROR: 500,
  PROFILE_IN_USE: {
    status: 409,
    message: 'Other profiles are based on this one.',
    extra: z.strictObject({ dependents: z.array(z.string()) }),
  },
} as const satisfies ErrorTable;

export const saveErrors = {
  ...readErrors,
  ...conflict,
  MISSING_BASED_ON: { status: 400, message: 'Name the profile or aircraft that this one is based on.' },
  INVALID_BASED_ON: {
    status: 400,
    message: 'basedOnProfile must be a profile of the same fleet or the id of a standard aircraft.',
  },
  INHERITANCE_TOO_DEEP: { status: 400, message: 'Too many profiles inherit from each other.' },
  INVALID_PROFILE_DATA: { status: 400, message: 'profileData is not valid.' },
  INVALID_FIELD: 400,
  ...storageErrors,
  PROFILE_DELETED: deletedError('profile'),
  REGISTRATION_TAKEN: { status: 409, message: 'There is already a profile with this registration.' },
  FLEET_FULL: { status: 403, message: 'The fleet has its maximum number of profiles.' },
  FS_ERROR: { status: 500, message: 'The folder of the profile could not be created. Nothing was changed.' },
  FS_WRITE_ERROR: {
    status: 500,
    message: 'The file of the profile could not be written. Nothing was changed.',
  },
  DB_ERROR: { status: 500, message: 'The database could not store the profile. Nothing was changed.' },
} as const satisfies ErrorTable;

// Failures of file storage and database as codes of the contract (section 7, fleet).

const withCode = (code: string, cause: unknown): DomainError =>
  Object.assign(new DomainError(code), { cause });

const causesOf = (error: unknown): Error[] =>
  error instanceof Error ? [error, ...causesOf(error.cause)] : [];

/** True if the folder could not be created; any other failure concerns the file. */
const isOfFolder = (error: unknown): boolean =>
  causesOf(error).some((each) => 'syscall' in each && each.syscall === 'mkdir');

/** Throws FS_ERROR or FS_WRITE_ERROR. */
export const asFileError = async <T>(log: Logger, write: () => Promise<T>): Promise<T> => {
  try {
    return await write();
  } catch (error) {
    const code = isOfFolder(error) ? 'FS_ERROR' : 'FS_WRITE_ERROR';
    log.error({ err: error, code }, 'the file of a fleet profile could not be written');
    throw withCode(code, error);
  }
};

/**
 * DB_ERROR when the database server refuses a statement. If the server does not answer, the common codes are
 * more precise.
 */
export const asDatabaseError = async <T>(log: Logger, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    // Errors sent by the Postgres server have a severity.
    if (!(error instanceof Error && 'severity' in error)) throw error;
    log.error({ err: error }, 'the row of a fleet profile could not be written');
    throw withCode('DB_ERROR', error);
  }
};

/**
 * The caller's fleet, or with `isVA` that of an airline they administer, and the permission check repeated within the
 * transaction. Throws the errors of `airlineToChange`.
 */
export const fleetToChange = async (
  { prepare, caller: { userId } }: Needs<'prepare' | 'caller'>,
  { isVA, vaName }: VaInput,
): Promise<{ owner: FleetOwner; permit: (tx: Tx) => Promise<unknown> }> => {
  if (!isVA) return { owner: { userId }, permit: () => Promise.resolve() };
  const administered = (tx: Tx) => airlineToChange(tx, {}, { userId, vaName });
  const { id } = await prepare.transaction(administered);
  return {
    owner: { vaId: id },
    permit: async (tx) => {
      if ((await administered(tx)).id !== id) throw new DomainError('FORBIDDEN');
    },
  };
};

/** The fleet that a call reads. Not cached, so that an editor shows what any process has just saved. */
export const fleetToRead = async (db: ReadDb, caller: Caller, { isVA, vaName }: VaInput): Promise<Fleet> =>
  fleetRepo(db).ofOwner(
    isVA ? { vaId: await airlineToRead(db, caller, vaName ?? null) } : { userId: caller.userId },
  );

// A fleet profile with its own JSON and that of its parents.

const jsonSchema = z.record(z.string(), z.unknown());

export const profileSchema = z.strictObject({
  fleetRow: fleetIdentitySchema,
  master: jsonSchema
    .nullable()
    .describe(
      'the parent profiles merged, without the standard aircraft; null when the parent is the standard aircraft',
    ),
  overrides: jsonSchema.describe('the JSON of this profile'),
  merged: jsonSchema.describe(
    '`overrides` merged over `master`; calculations apply it to the standard aircraft',
  ),
});

/** Throws FILE_NOT_FOUND. */
export const profileView = async (
  fleet: Fleet,
  profile: FleetProfile,
  { fleets }: Pick<AircraftLibrary, 'fleets'>,
): Promise<z.output<typeof profileSchema>> => {
  const chain = await fleets.chainOf(fleet, profile);
  const [overrides = {}, ...parents] = chain;
  return {
    fleetRow: fleetIdentity(profile),
    master: parents.length === 0 ? null : mergeChain(parents),
    overrides,
    merged: mergeChain(chain),
  };
};

/** An exported `fleet_profile` row with its file's JSON as `profile_data`; null if it was replaced meanwhile. */
export const withProfileData = async (storage: Pick<FileStorage, 'get'>, json: string): Promise<string> => {
  const row = JSON.parse(json) as Record<string, unknown>;
  const file = await storage.get(String(row['storage_key']));
  const data: unknown = file && JSON.parse(Buffer.from(file).toString('utf8'));
  return JSON.stringify({ ...row, profile_data: data });
};

import { z } from 'zod';
import { deletedError } from '#domain/fields/deletion.ts';
import { fleetIdentitySchema } from '#domain/fleet/row.ts';
import type { ErrorTable } from '../../../errors.ts';
import { storageErrors } from '../../users/common/storage.ts';
import { vaErrors } from '../../virtual-airlines/common/va.ts';

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

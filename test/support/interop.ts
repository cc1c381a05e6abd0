/** Libraries of other makers that apps use with the service. `npm ci` leaves them out; `.ci/run` installs them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../clients/interop');

export const interopModules = join(folder, 'node_modules');
export const hasInterop = existsSync(interopModules);

/** Why their tests are skipped, for the titles. */
export const interopNote = hasInterop ? '' : ' (skipped: no npm ci --prefix clients/interop)';

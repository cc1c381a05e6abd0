/** Generators, libraries and validators of other makers, which judge the service from outside. `npm ci` leaves them out; `.ci/run` installs them. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../clients/interop');

export const interopModules = join(folder, 'node_modules');
export const hasInterop = existsSync(interopModules);

/** Why their tests are skipped, for the titles. */
export const interopNote = hasInterop ? '' : ' (skipped: no npm ci --prefix clients/interop)';

/** Loads one of them; throws where they are not installed. */
export const requireInterop = createRequire(join(folder, 'package.json'));

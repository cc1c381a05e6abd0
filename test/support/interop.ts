/**
 * Generators, libraries and validators by other makers that check the service from outside. `npm ci` does not install
 * them; `.ci/run` does.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../clients/interop');

export const interopModules = join(folder, 'node_modules');
export const hasInterop = existsSync(interopModules);

/** Why their tests are skipped, for titles. */
export const interopNote = hasInterop ? '' : ' (skipped: no npm ci --prefix clients/interop)';

/** Loads one of them; throws if it is not installed. */
export const requireInterop = createRequire(join(folder, 'package.json'));

/** Verifies after each test file in a shared process that the process is unchanged. */
import { afterAll, vi } from 'vitest';

const environment = { ...process.env };
const folder = process.cwd();

afterAll(() => {
  vi.restoreAllMocks();
  // Packages add variables when they are loaded; tests must not.
  const changed = Object.keys(environment).filter((name) => process.env[name] !== environment[name]);
  if (process.cwd() !== folder) changed.push('working folder');
  if (vi.isFakeTimers()) changed.push('timers');
  if (changed.length > 0) throw new Error(`The test file leaves its process changed: ${changed.join(', ')}`);
});

/**
 * Preloaded into every process of the service: shifts its wall clock by the seconds in the file
 * `FAULT_CLOCK_FILE`.
 */
import { existsSync, readFileSync } from 'node:fs';

const file = process.env['FAULT_CLOCK_FILE'] ?? '';
let offsetMs = 0;

const readOffset = (): void => {
  if (existsSync(file)) offsetMs = Number(readFileSync(file, 'utf8')) * 1_000;
};

readOffset();
setInterval(readOffset, 100).unref();
globalThis.Date = new Proxy(Date, {
  construct: (real, given: unknown[], created) =>
    Reflect.construct(real, given.length > 0 ? given : [real.now() + offsetMs], created) as Date,
  get: (real, name) => (name === 'now' ? () => real.now() + offsetMs : (Reflect.get(real, name) as unknown)),
});

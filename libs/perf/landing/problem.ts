import type { Impossible } from './types.ts';

/** A case without an answer. Thrown inside the engine, turned into an `Impossible` by `calculateLanding`. */
export class CalculationError extends Error {
  override name = 'CalculationError';
  readonly outcome: Impossible;
  constructor(code: string, message: string, details: Record<string, string | number> = {}) {
    super(message);
    this.outcome = { ok: false, code, message, details };
  }
}

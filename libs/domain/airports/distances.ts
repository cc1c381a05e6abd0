import type { DeclaredDistance, DeclaredDistances, OfficialDistances } from './types.ts';
import { feetToMetres, round } from './units.ts';

/** Without official figures, the takeoff run is the whole length, and landing begins at the displaced threshold. */
export const deriveDistances = (lengthM: number, displacedThresholdM: number): DeclaredDistances => {
  const derived = (valueM: number): DeclaredDistance => ({ valueM: round(valueM, 1), source: 'derived' });
  return {
    tora: derived(lengthM),
    toda: derived(lengthM),
    asda: derived(lengthM),
    lda: derived(lengthM - displacedThresholdM),
    asOf: null,
  };
};

/**
 * Prefers official distances, each separately. TORA and LDA cannot exceed the pavement: if one is longer by more than 2
 * % (at least 30 m), it belongs to another state of the runway, and all figures of that runway end are ignored
 * (`rejected`).
 */
export const withOfficial = (
  derived: DeclaredDistances,
  official: OfficialDistances | undefined,
  lengthM: number,
): { distances: DeclaredDistances; rejected: boolean } => {
  if (!official) return { distances: derived, rejected: false };
  const limitM = lengthM + Math.max(30, lengthM * 0.02);
  const metres = (feet: number | null): number | null =>
    feet === null || feet <= 0 ? null : feetToMetres(feet);
  const toraM = metres(official.toraFt);
  const ldaM = metres(official.ldaFt);
  if ((toraM ?? 0) > limitM || (ldaM ?? 0) > limitM) return { distances: derived, rejected: true };
  const pick = (valueM: number | null, fallback: DeclaredDistance): DeclaredDistance =>
    valueM === null ? fallback : { valueM, source: official.source };
  const tora = pick(toraM, derived.tora);
  return {
    distances: {
      tora,
      // A missing TODA or ASDA is the TORA, not the longer pavement.
      toda: pick(metres(official.todaFt) ?? toraM, derived.toda),
      asda: pick(metres(official.asdaFt) ?? toraM, derived.asda),
      lda: pick(ldaM, derived.lda),
      asOf: official.asOf,
    },
    rejected: false,
  };
};

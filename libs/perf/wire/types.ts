import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { LandingRequest } from '#domain/performance/request.ts';
import type { LandingAnswer } from '#domain/performance/result.ts';
import type { Exit, LandingCase, LandingOutcome } from '../landing/types.ts';

/** Airport data of the runway, independent of the units of the request. */
export interface RunwayFacts {
  ident: string;
  /** landing distance available, before the user's own NOTAM */
  ldaM: number;
  /** what NOTAM in force leave of it, whether or not the figures have them; null: there are none */
  ldaInForceM?: number | null;
  /** full length for the takeoff of a balked landing */
  lengthM: number;
  elevationFt: number;
  slopePercent: number;
  trueBearingDeg: number;
  widthM: number | null;
  exits: readonly Exit[];
  goAroundAltitudeFt: number | null;
  /** missed approach climb gradient of the runway; that of PANS-OPS when absent */
  macgPercent?: number;
  /** false: an operator's engine-failure procedure applies */
  standardEfp: boolean;
  efpText: string | null;
}

/** Features that the user's subscription includes. */
export interface Entitlements {
  nnc: boolean;
  mel: boolean;
  cdl: boolean;
  notam: boolean;
  balkedLanding: boolean;
}

export type Feature = keyof Entitlements;

export interface FieldProblem {
  field: string;
  message: string;
}

export interface LandingInput {
  request: LandingRequest;
  profile: AircraftProfile;
  runway: RunwayFacts;
  entitlements: Entitlements;
}

/**
 * Outcome of `performLanding`: bad input, a feature outside the subscription, or an answer (possible or not) with the
 * request as calculated.
 */
export type LandingPerformed =
  | { kind: 'invalid'; details: FieldProblem[] }
  | { kind: 'notEntitled'; feature: Feature; field: string }
  | {
      kind: 'answer';
      answer: LandingAnswer;
      charge: boolean;
      request: LandingRequest;
      landing: LandingCase;
      outcome: LandingOutcome;
    };

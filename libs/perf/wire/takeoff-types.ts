import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { TakeoffAnswer } from '#domain/performance/takeoff-result.ts';
import type { LandingRequest } from '#domain/performance/request.ts';
import type { TakeoffRequest } from '#domain/performance/takeoff-request.ts';
import type { TakeoffCase, TakeoffResult } from '../takeoff/types.ts';
import type { FieldProblem, RunwayFacts } from './types.ts';

/** Airport data of a takeoff direction from where the takeoff begins. */
export interface TakeoffRunwayFacts {
  ident: string;
  toraM: number;
  todaM: number;
  asdaM: number;
  /** what NOTAM in force leave, whether or not the figures have them; null: there are none */
  inForce?: { toraM: number; todaM: number; asdaM: number } | null;
  elevationM: number;
  slopePercent: number;
  trueBearingDeg: number;
  widthM: number | null;
  /** false: an operator's engine-failure procedure applies */
  standardEfp: boolean;
  efpText: string | null;
  efpAccelerationAltitudeFt: number | null;
}

/** Features of a takeoff that the user's subscription includes. */
export interface TakeoffEntitlements {
  nnc: boolean;
  mel: boolean;
  cdl: boolean;
  notam: boolean;
  intersections: boolean;
}

export interface TakeoffInput {
  request: TakeoffRequest;
  profile: AircraftProfile;
  runway: TakeoffRunwayFacts;
  /** the same direction for a return, as it is and with its condition for a landing; null: closed for landing */
  landing: { runway: RunwayFacts; runwayCondition: LandingRequest['runwayCondition'] } | null;
  entitlements: TakeoffEntitlements;
}

/** Outcome of `performTakeoff`: bad input, a feature outside the subscription, or an answer (possible or not). */
export type TakeoffPerformed =
  | { kind: 'invalid'; details: FieldProblem[] }
  | { kind: 'notEntitled'; feature: keyof TakeoffEntitlements; field: string }
  | {
      kind: 'answer';
      answer: TakeoffAnswer;
      charge: boolean;
      request: TakeoffRequest;
      takeoff: TakeoffCase;
      result: TakeoffResult | null;
    };

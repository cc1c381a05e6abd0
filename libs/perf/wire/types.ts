import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { LandingRequest } from '#domain/performance/request.ts';
import type { LandingAnswer } from '#domain/performance/result.ts';
import type { TakeoffRequest } from '#domain/performance/takeoff-request.ts';
import type { TakeoffAnswer } from '#domain/performance/takeoff-result.ts';
import type { Exit, LandingCase, LandingOutcome } from '../landing/types.ts';
import type { TakeoffCase, TakeoffResult } from '../takeoff/types.ts';
import type { RunwayEnd } from '#domain/airports/types.ts';

/** Airport data of a runway end, independent of the request's units. */
interface RunwayEndFacts extends Pick<RunwayEnd, 'ident' | 'slopePercent' | 'trueBearingDeg' | 'widthM'> {
  /** false: an operator's engine-failure procedure applies */
  standardEfp: boolean;
  efpText: string | null;
}

/** Runway facts of a landing. */
export interface RunwayFacts extends RunwayEndFacts {
  /** landing distance available, before the user's own NOTAM */
  ldaM: number;
  /** length left by active NOTAM, whether or not the figures include them; null: no such NOTAM */
  ldaInForceM?: number | null;
  /** full length for the takeoff of a balked landing */
  lengthM: number;
  elevationFt: number;
  exits: readonly Exit[];
  /** missed approach climb gradient */
  macgPercent: number;
}

interface Declared {
  toraM: number;
  todaM: number;
  asdaM: number;
}

/** Runway facts of a takeoff, from its starting point. */
export interface TakeoffRunwayFacts extends RunwayEndFacts, Declared {
  /** distances left by active NOTAM, whether or not the figures include them; null: no such NOTAM */
  inForce?: Declared | null;
  elevationM: number;
  efpAccelerationAltitudeFt: number | null;
}

/** Features that the user's subscription includes. */
export interface Entitlements {
  nnc: boolean;
  mel: boolean;
  cdl: boolean;
  notam: boolean;
  /** of landings */
  balkedLanding?: boolean;
  /** of takeoffs */
  intersections?: boolean;
}

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

export interface TakeoffInput {
  request: TakeoffRequest;
  profile: AircraftProfile;
  runway: TakeoffRunwayFacts;
  /** the same runway end for a return landing; null: closed for landing */
  landing: { runway: RunwayFacts; runwayCondition: LandingRequest['runwayCondition'] } | null;
  entitlements: Entitlements;
}

/** Reason for no calculation: bad input, or a feature outside the subscription. */
export type Refused =
  | { kind: 'invalid'; details: FieldProblem[] }
  | { kind: 'notEntitled'; feature: keyof Entitlements; field: string };

/** The answer, possible or not, with the request as calculated. */
interface Answered<R, A> {
  kind: 'answer';
  answer: A;
  request: R;
}

export type LandingPerformed =
  | Refused
  | (Answered<LandingRequest, LandingAnswer> & { landing: LandingCase; outcome: LandingOutcome });

export type TakeoffPerformed =
  | Refused
  | (Answered<TakeoffRequest, TakeoffAnswer> & { takeoff: TakeoffCase; result: TakeoffResult | null });

import type { QualityMark } from '#domain/aircraft/profile.ts';
import type { TakeoffPerformance } from '#domain/aircraft/profile-takeoff.ts';
import type { TakeoffPoints } from '#domain/performance/graphic.ts';
import type { OperatorReport } from '#domain/performance/request-parts.ts';
import type { Caution } from '../landing/caution-codes.ts';
import type { Applied, BrakeCooling, Weather } from '../landing/types.ts';
import type { Retraction } from './retraction.ts';

/** A departure obstacle: distance from the start of the takeoff run, before lining up, and height above the runway end, m. */
interface Obstacle {
  distanceM: number;
  heightM: number;
}

/** A turn of the departure path: start along the path from the same point (m), heading change and bank (degrees). */
export interface DepartureTurn {
  distanceM: number;
  headingChangeDeg: number;
  bankDeg: number;
}

/** All inputs of a takeoff calculation, in SI. */
export interface TakeoffCase {
  runway: {
    toraM: number;
    /** with active NOTAM that the declared distances do not include */
    toraInForceM?: number | undefined;
    todaM: number;
    asdaM: number;
    elevationM: number;
    /** 1 = 100 %, positive uphill */
    slope: number;
    lineupAngle?: 0 | 90 | 180 | undefined;
    widthM?: number | undefined;
  };
  weather: Weather;
  /** `reportedCode`: reported RWYCC, which may lower braking */
  condition: {
    state: string;
    depthM: number;
    reportedCode?: number | undefined;
    operator?: OperatorReport | undefined;
  };
  configuration: {
    /** code of a flap, or OPTIMUM */
    flap: string;
    rating?: string | undefined;
    packsOff: boolean;
    antiIce: string;
    /** operative reversers before a failure; absent: all fitted */
    reversers?: number | undefined;
    /** full thrust required: windshear expected or an MEL item */
    fullThrust: boolean;
    /** whole degrees C, or none; absent: the highest permitted */
    assumedTemperature?: number | 'NONE' | undefined;
    /** higher speeds where they raise the limit */
    improvedClimb?: boolean | undefined;
    mel?: readonly string[] | undefined;
    cdl?: readonly string[] | undefined;
  };
  /** distances along the path, which follows `turns` */
  obstacles: readonly Obstacle[];
  turns?: readonly DepartureTurn[] | undefined;
  /** height above the runway at which flaps are retracted after an engine failure; absent: the standard one */
  accelerationHeightM?: number | undefined;
  massKg?: number | undefined;
  /** % MAC */
  cgPercent?: number | undefined;
}

/** A value from a fitted law, with its RMS error against published values. */
export interface Fitted {
  value: number;
  rms: number;
}

/** Limit weights, kg; null: not limiting, or not known for the type. */
export interface LimitWeights {
  structKg: number;
  fieldKg: number | null;
  climbKg: number | null;
  obstacleKg: number | null;
  tyreKg: number | null;
  brakeKg: number | null;
  vmcMinimumKg: number | null;
}

export type LimitCode = 'STRUCT' | 'FIELD' | 'CLIMB' | 'OBSTACLE' | 'TYRE' | 'BRAKE';

/** V1 on one surface, kt CAS. */
export interface DecisionSpeed {
  v1Kt: number;
  /** lowest V1 to continue and highest V1 to stop; null: no V1 allows both */
  v1MinKt: number | null;
  v1MaxKt: number | null;
  /** basis: a published rule, balanced field, or limited by go or stop distance */
  basis: 'RULE' | 'BALANCED' | 'GO' | 'STOP';
}

/** Speeds at a mass, kt CAS, V1 on the actual surface. Required distances on the actual runway, m. */
export interface TakeoffSpeeds extends DecisionSpeed {
  vrKt: number;
  v2Kt: number;
  /** VMCG, and V1MBE; null: not known */
  vmcgKt: number;
  vmbeKt: number | null;
  /** each the longest over the surfaces, at the V1 of each (25.109(b), 25.113(b)) */
  required: { asdM: number; todM: number; todAllEnginesM: number };
}

/** A takeoff at rated thrust or at an assumed temperature. */
export interface TakeoffColumn {
  /** whole degrees C; null: rated thrust */
  assumedTemperatureC: number | null;
  /** thrust reduction from the rating, percent */
  reductionPercent: number;
  speeds: TakeoffSpeeds;
  points: TakeoffPoints;
  /** remaining brakes after a stop from V1 */
  stopCooling: BrakeCooling;
  /** gross gradients at V2 with item decrements, percent: one engine inoperative, gear up, and all engines */
  secondSegmentPercent: number;
  allEnginesPercent: number;
  /** percent; null: not published */
  n1: Fitted | null;
}

export interface Validity {
  qnhHpa: number;
  temperatureC: number;
}

export interface TakeoffResult {
  flap: string;
  /** rating value */
  rating: string;
  limits: LimitWeights;
  /** lowest limit, kg; null: no weight is possible */
  limitKg: number | null;
  /** whether the takeoff weight is at or below it */
  isCarried: boolean;
  limitedBy: LimitCode;
  /** the next lowest, null when there is none */
  nextLimitedBy: LimitCode | null;
  /** at rated thrust; null without a takeoff weight */
  full: TakeoffColumn | null;
  /** at the highest or requested assumed temperature; null: no reduction */
  reduced: TakeoffColumn | null;
  /** maximum assumed temperature (C) and trim (units); null: not published, or no weight or CG */
  mostAssumedC: Fitted | null;
  trim: Fitted | null;
  /** flap retraction speeds; null without a weight */
  retraction: Retraction | null;
  /** declared distances less the line-up allowance, m */
  declared: { asdaM: number; todaM: number; toraM: number };
  /** improved-climb speed increment, kt */
  improvedKt: number;
  rwycc: number;
  /** least gross gradient of the second segment, percent */
  leastSecondSegmentPercent: number;
  /** gross and required gradient of the final segment, percent; null: no weight, or no clean speed is known */
  finalSegmentPercent: number | null;
  leastFinalSegmentPercent: number;
  /** lowest QNH and highest temperature the result remains valid for */
  validity: Validity;
  /** how well the speeds are known on the actual surface */
  speedEvidence: TakeoffPerformance['speedEvidence'];
  cautions: Caution[];
  applied: Applied[];
  quality: QualityMark;
  /** quality of the columns' distances */
  distanceQuality: QualityMark;
}

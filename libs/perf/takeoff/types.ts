import type { QualityMark } from '#domain/aircraft/profile.ts';
import type { TakeoffPerformance } from '#domain/aircraft/profile-takeoff.ts';
import type { OperatorReport } from '#domain/performance/request-parts.ts';
import type { Caution } from '../landing/caution-codes.ts';
import type { Applied, BrakeCooling } from '../landing/types.ts';
import type { Retraction } from './retraction.ts';

/** An obstacle in the departure path: from the beginning of the takeoff run, before lining up, and above the end of the runway, m. */
export interface Obstacle {
  distanceM: number;
  heightM: number;
}

/** A turn of the departure path: where it begins along the path from the same point, m, its heading change and bank, degrees. */
export interface DepartureTurn {
  distanceM: number;
  headingChangeDeg: number;
  bankDeg: number;
}

/** A takeoff in SI units; wind in knots as reported, from ahead. */
export interface TakeoffCase {
  runway: {
    toraM: number;
    /** With NOTAM in force that the figures leave out. */
    toraInForceM?: number | undefined;
    todaM: number;
    asdaM: number;
    elevationM: number;
    /** 1 = 100 %, positive uphill */
    slope: number;
    lineupAngle?: 0 | 90 | 180 | undefined;
    widthM?: number | undefined;
  };
  weather: {
    temperatureK: number;
    qnhPa: number;
    headwindKt: number;
    crosswindKt?: number | undefined;
    gust?: { headwindKt: number; crosswindKt: number } | undefined;
    /** of all winds that may blow, gusts included */
    maxHeadwindKt?: number | undefined;
    maxTailwindKt?: number | undefined;
  };
  /** `reportedCode`: of the matrix, by which braking may be worse than on such a surface */
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
    /** working reversers before a failure; absent: all that are fitted */
    reversers?: number | undefined;
    /** full thrust by decision: windshear expected or an item of the minimum equipment list */
    fullThrust: boolean;
    /** whole degrees C, or none; absent: the highest possible */
    assumedTemperature?: number | 'NONE' | undefined;
    /** higher speeds where they raise the limit */
    improvedClimb?: boolean | undefined;
    mel?: readonly string[] | undefined;
    cdl?: readonly string[] | undefined;
  };
  /** distances along the path, which turns where `turns` says */
  obstacles: readonly Obstacle[];
  turns?: readonly DepartureTurn[] | undefined;
  /** height above the runway at which flaps are retracted after an engine failure; absent: the standard one */
  accelerationHeightM?: number | undefined;
  massKg?: number | undefined;
  /** % MAC */
  cgPercent?: number | undefined;
}

/** A value by a fitted law, with its RMS against published ones. */
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

/** V1 of one surface, kt CAS. */
export interface DecisionSpeed {
  v1Kt: number;
  /** lowest V1 from which going is possible and highest from which stopping is; null: no V1 does both */
  v1MinKt: number | null;
  v1MaxKt: number | null;
  /** what decided it: a published rule, going and stopping in balance, or what going or stopping needs of the runway */
  basis: 'RULE' | 'BALANCED' | 'GO' | 'STOP';
}

/** Speeds in kt CAS of a mass; V1 is that of the actual surface. Required distances in m on the actual runway. */
export interface TakeoffSpeeds extends DecisionSpeed {
  vrKt: number;
  v2Kt: number;
  /** minimum control speed on the ground, and the highest V1 that the brakes take; null: not known */
  vmcgKt: number;
  vmbeKt: number | null;
  /** each the longest of the surfaces, at the V1 of each (25.109(b), 25.113(b)) */
  required: { asdM: number; todM: number; todAllEnginesM: number };
}

/** A takeoff at the thrust of the rating, or at that of an assumed temperature. */
export interface TakeoffColumn {
  /** whole degrees C; null: thrust of the rating */
  assumedTemperatureC: number | null;
  /** thrust less than that of the rating, percent */
  reductionPercent: number;
  speeds: TakeoffSpeeds;
  /** brakes after a stop from V1, those that are left of them */
  stopCooling: BrakeCooling;
  /** gross gradients at V2 with what items take, percent: one engine inoperative, gear up, and all engines */
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
  /** value of the rating */
  rating: string;
  limits: LimitWeights;
  /** lowest of the limits, kg; null: no weight passes */
  limitKg: number | null;
  /** whether the takeoff weight is at or below it */
  isCarried: boolean;
  limitedBy: LimitCode;
  /** the next lowest, null when there is none */
  nextLimitedBy: LimitCode | null;
  /** of the takeoff weight at the thrust of the rating; null without one */
  full: TakeoffColumn | null;
  /** the same with the highest assumed temperature or the requested one; null: thrust is not reduced */
  reduced: TakeoffColumn | null;
  /** highest assumed temperature in C and trim in units; null: not published, or no weight or CG */
  mostAssumedC: Fitted | null;
  trim: Fitted | null;
  /** speeds of flap retraction; null without a weight */
  retraction: Retraction | null;
  /** declared distances less those of lining up, m */
  declared: { asdaM: number; todaM: number; toraM: number };
  /** speeds above those of the tables for a higher climb limit, kt */
  improvedKt: number;
  rwycc: number;
  /** least gross gradient of the second segment, percent */
  leastSecondSegmentPercent: number;
  /** gross gradient of the final segment with what items take, and the least one, percent; null: without a weight, or no clean speed is known */
  finalSegmentPercent: number | null;
  leastFinalSegmentPercent: number;
  /** weather down and up to which the takeoff weight is carried as calculated */
  validity: Validity;
  /** how well the speeds are known on the actual surface */
  speedEvidence: TakeoffPerformance['speedEvidence'];
  cautions: Caution[];
  applied: Applied[];
  quality: QualityMark;
  /** of the distances of the columns */
  distanceQuality: QualityMark;
}

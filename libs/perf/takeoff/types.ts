import type { QualityMark } from '#domain/aircraft/profile.ts';
import type { Applied } from '../landing/types.ts';

/** An obstacle in the departure path: from brake release, and above the end of the runway, m. */
export interface Obstacle {
  distanceM: number;
  heightM: number;
}

/** A takeoff in SI units; wind in knots as reported, from ahead. */
export interface TakeoffCase {
  runway: {
    toraM: number;
    todaM: number;
    asdaM: number;
    elevationM: number;
    /** 1 = 100 %, positive uphill */
    slope: number;
    lineupAngle?: 0 | 90 | 180;
  };
  weather: { temperatureK: number; qnhPa: number; headwindKt: number };
  condition: { state: string; depthM: number };
  configuration: {
    /** code of a flap, or OPTIMUM */
    flap: string;
    rating?: string;
    packsOff: boolean;
    antiIce: string;
    /** working reversers before a failure; absent: all that are fitted */
    reversers?: number;
    /** full thrust by decision: windshear expected or an item of the minimum equipment list */
    fullThrust: boolean;
  };
  obstacles: readonly Obstacle[];
  massKg?: number;
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

export interface TakeoffCaution {
  code: string;
  text: string;
}

/** Speeds in kt CAS and required distances of a mass, m on the actual runway. */
export interface TakeoffSpeeds {
  v1Kt: number;
  /** lowest V1 from which going is possible and highest from which stopping is; null: neither */
  v1MinKt: number | null;
  v1MaxKt: number | null;
  vrKt: number;
  v2Kt: number;
  required: { asdM: number; todM: number; todAllEnginesM: number };
}

export interface TakeoffResult {
  flap: string;
  limits: LimitWeights;
  /** lowest of the limits, kg; null: no weight passes */
  limitKg: number | null;
  limitedBy: LimitCode;
  /** the next lowest, null when there is none */
  nextLimitedBy: LimitCode | null;
  /** of the takeoff weight; null without one */
  speeds: TakeoffSpeeds | null;
  /** highest assumed temperature, whole degrees C; null: none */
  assumedTemperatureC: number | null;
  cautions: TakeoffCaution[];
  applied: Applied[];
  quality: QualityMark;
}

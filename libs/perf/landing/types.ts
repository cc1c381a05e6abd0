import type { RwyccCode, QualityMark } from '#domain/aircraft/profile.ts';
import type { OperatorReport } from '#domain/performance/request-parts.ts';
import type { Caution } from './caution-codes.ts';
import type { Outcome } from './problem.ts';

/** A correction, factor or assumption in the result; none is applied silently. */
export interface Applied {
  name: string;
  value: number | string;
  unit: string;
  source: string;
}

/** One entry of the list of corrections and assumptions in a result. */
export const appliedItem = (
  name: string,
  value: Applied['value'],
  unit: string,
  source: string,
): Applied => ({
  name,
  value,
  unit,
  source,
});

/** A runway exit as in the airport data. */
export interface Exit {
  name: string;
  distanceM: number;
  /** from the airport data; its angle and the runway condition may lower it */
  speedKt?: number;
  angleDeg?: number;
}

/** Weather on a runway, for landings and takeoffs, in SI. */
export interface Weather {
  /** along the runway, headwind positive, m/s */
  headwindMps: number;
  /** across the runway, always positive, m/s */
  crosswindMps?: number | undefined;
  /** the components with gusts; absent without gusts */
  gust?: { headwindMps: number; crosswindMps: number } | undefined;
  /** worst of all forecast and reported winds, with gusts */
  maxHeadwindMps?: number | undefined;
  maxTailwindMps?: number | undefined;
  /** variable or unknown direction: the full wind counts as tailwind and as crosswind */
  isVariable?: boolean | undefined;
  temperatureK: number;
  qnhPa: number;
}

/** All inputs of a landing calculation, in SI; airspeeds and additives in knots. */
export interface LandingCase {
  mode: 'dispatch' | 'inflight';
  runway: {
    /** landing distance available after any shortening, metres */
    ldaM: number;
    /** as shown in the answer, in whole units of the request, so that verdicts match it; ldaM when absent */
    shownLdaM?: number | undefined;
    /** the LDA left by NOTAM in force, as shown; absent if ldaM already accounts for them */
    ldaInForceM?: number | undefined;
    elevationM: number;
    /** rise over run in landing direction, uphill positive (0.01 = 1 %) */
    slope: number;
    widthM?: number | undefined;
    /** deducted for a NOTAM, metres (already subtracted from ldaM) */
    notamShorteningM?: number | undefined;
    exits?: readonly Exit[] | undefined;
    /** missed approach altitude, metres above mean sea level */
    goAroundAltitudeM?: number | undefined;
    /** glide path of the approach, degrees; 3 when absent */
    approachAngleDeg?: number | undefined;
  };
  weather: Weather;
  condition: { state: string; depthM: number; operator?: OperatorReport | undefined } | { rwycc: RwyccCode };
  configuration: {
    /** a flap code of the profile, or OPTIMUM (family A dispatch) */
    flap: string;
    /** a brake mode of the profile, or ALL */
    autobrake: string;
    /** operative reversers; ALL when absent */
    reversersOperating?: number | undefined;
    speedbrake?: string | undefined;
    antiIce?: string | undefined;
    acBleed?: string | undefined;
    cgPosition?: string | undefined;
    /** centre of gravity, % MAC; null: unknown */
    cgPercent?: number | null | undefined;
    /** fitted brakes, if the profile has both kinds; from `model.brakes` when absent */
    brakes?: 'steel' | 'carbon' | undefined;
    /** requested additive: vPilot for family A, VREF additive for family B, knots */
    vrefAdditiveKt: number;
    autoland: boolean;
    autothrust: boolean;
    /** air distance: the profile's, or 7 s if longer */
    airDistance?: 'TABLE' | '7S' | undefined;
    missedApproachGradient: number;
    nonNormal: readonly string[];
    mel: readonly string[];
    cdl: readonly string[];
  };
  /** required in flight, ignored at dispatch */
  massKg?: number | undefined;
}

/** The point where one brake mode reaches an exit's speed. */
export interface ExitResult {
  name: string;
  distanceM: number;
  remainingRunwayM: number;
  speedKt: number;
  modes: { autobrake: string; distanceAtSpeedM: number; marginM: number; reachable: boolean }[];
}

export type CoolingTime = number | 'CAUTION' | 'FUSE MELT';

export interface BrakeCooling {
  credit: 'REVERSE' | 'NONE';
  aerodynamicDrag: boolean;
  groundMin: CoolingTime;
  airMin: CoolingTime;
  btms: number | null;
  energyJ: number;
}

/** Results for one brake mode. `actualM` is the distance D from 50 ft to a stop. */
export interface ModeResult {
  autobrake: string;
  label: string;
  order: number;
  airDistanceM: number;
  actualM: number;
  landingM: number;
  factoredM: number;
  /** whether corrections are combined by physics or added as in the manufacturer's tables (family A) */
  combination: 'physics' | 'added';
  cooling: BrakeCooling;
}

/** A brake mode without distances: it does not stop the aircraft here, or cannot be used. */
export interface UnusableMode {
  autobrake: string;
  label: string;
  order: number;
  reason: 'CANNOT_STOP' | 'FAILURE' | 'RUNWAY_CONDITION';
}

interface VAppDetails {
  deltaWindKt: number;
  athrOnKt: number;
  deltaIceAccretionKt: number;
  approachCorrectionKt: number;
  vPilotKt: number;
  totalVrefCorrectionKt: number;
}

export interface Speeds {
  vRefKt: number;
  vAppKt: number;
  /** added to the flap's VREF, knots */
  additiveKt: number;
  vAppDetails: VAppDetails | null;
}

interface Common {
  /** the landing weight; at dispatch, the highest within all limits */
  massKg: number;
  flap: string;
  rwycc: RwyccCode;
  speeds: Speeds;
  /** percent, engine inoperative, at the stated share of the go-around altitude */
  goAroundGradientPercent: number;
  goAroundAltitudeM: number;
  cautions: Caution[];
  applied: Applied[];
  quality: QualityMark;
}

export type InflightResult = Common & {
  mode: 'inflight';
  isOverweight: boolean;
  modes: ModeResult[];
  /** modes of the case missing from `modes` */
  unusable: UnusableMode[];
  exits: ExitResult[];
  limits: Limits;
};

export type LimitKey = 'fieldKg' | 'approachClimbKg' | 'landingClimbKg' | 'tireKg' | 'macgKg';

/** Weight limits in kg; null: not computable, not active or not limiting, and excluded from the minimum. */
export interface Limits {
  /** met at every weight of this aircraft, far beyond the maximum takeoff weight */
  notLimiting: readonly LimitKey[];
  structKg: number;
  fieldKg: number | null;
  approachClimbKg: number | null;
  landingClimbKg: number | null;
  tireKg: number | null;
  quickTurnKg: number | null;
  macgKg: number | null;
  perfKg: number | null;
}

export type LimitName = 'STRUCT.' | 'MACG' | 'FIELD' | 'CLIMB' | 'QUICK' | 'TIRE';

export type DispatchResult = Common & {
  mode: 'dispatch';
  limitedBy: LimitName;
  limits: Limits;
  requiredM: number;
  actualM: number;
  /** the required distance is a multiple of the actual one: contaminated or autoland */
  isActualFactored: boolean;
  factoredM: number;
  airDistanceM: number;
  exits: ExitResult[];
};

export type LandingOutcome = Outcome<InflightResult | DispatchResult>;

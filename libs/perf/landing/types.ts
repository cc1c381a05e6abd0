import type { RwyccCode, QualityMark } from '#domain/aircraft/profile.ts';
import type { OperatorReport } from '#domain/performance/request-parts.ts';
import type { Caution } from './caution-codes.ts';
import type { Outcome } from './problem.ts';

/** A correction, factor or assumption that went into the result: nothing is applied silently. */
export interface Applied {
  name: string;
  value: number | string;
  unit: string;
  source: string;
}

/** A runway exit as in the airport data. */
export interface Exit {
  name: string;
  distanceM: number;
  /** of the airport data; the speed that its angle and the runway condition allow may be lower */
  speedKt?: number;
  angleDeg?: number;
}

/** Everything a landing calculation reads, in SI; speeds that are airspeeds or additives in knots. */
export interface LandingCase {
  mode: 'dispatch' | 'inflight';
  runway: {
    /** landing distance available after any shortening, metres */
    ldaM: number;
    /** as the answer shows it, whole units of the user: every verdict is about this number; ldaM when absent */
    shownLdaM?: number | undefined;
    /** what NOTAM in force leave of it, as shown; absent where ldaM has them */
    ldaInForceM?: number | undefined;
    elevationM: number;
    /** rise over run in landing direction, uphill positive (0.01 = 1 %) */
    slope: number;
    widthM?: number | undefined;
    /** landing distance deducted by a NOTAM, metres (already subtracted from ldaM) */
    notamShorteningM?: number | undefined;
    exits?: readonly Exit[] | undefined;
    /** altitude the missed approach climbs to, metres above mean sea level */
    goAroundAltitudeM?: number | undefined;
    /** glide path of the approach, degrees; 3 when absent */
    approachAngleDeg?: number | undefined;
  };
  weather: {
    /** along the runway, positive from ahead, metres per second */
    headwindMps: number;
    /** across the runway, always positive */
    crosswindMps?: number | undefined;
    /** the same with the gusts; absent without them */
    gust?: { headwindMps: number; crosswindMps: number } | undefined;
    /** worst of all forecast and reported winds, gusts included */
    maxHeadwindMps?: number | undefined;
    maxTailwindMps?: number | undefined;
    /** the direction varies or is unknown: the whole wind counts as tailwind and as crosswind */
    isVariable?: boolean | undefined;
    temperatureK: number;
    qnhPa: number;
  };
  condition: { state: string; depthM: number; operator?: OperatorReport | undefined } | { rwycc: RwyccCode };
  configuration: {
    /** flap code of the profile, or OPTIMUM (family A dispatch) */
    flap: string;
    /** value of the profile, or ALL */
    autobrake: string;
    /** reversers that work; ALL when absent */
    reversersOperating?: number | undefined;
    speedbrake?: string | undefined;
    antiIce?: string | undefined;
    acBleed?: string | undefined;
    cgPosition?: string | undefined;
    /** centre of gravity, % MAC; null: not known */
    cgPercent?: number | null | undefined;
    /** brakes fitted, where the profile has both; those of `model.brakes` when absent */
    brakes?: 'steel' | 'carbon' | undefined;
    /** requested additive: vPilot for family A, VREF additive for family B, knots */
    vrefAdditiveKt: number;
    autoland: boolean;
    autothrust: boolean;
    /** air part of distances: of the profile, or 7 s where that is longer */
    airDistance?: 'TABLE' | '7S' | undefined;
    missedApproachGradient: number;
    nonNormal: readonly string[];
    mel: readonly string[];
    cdl: readonly string[];
  };
  /** required in flight, ignored at dispatch */
  massKg?: number | undefined;
}

/** Where along the runway one brake mode reaches an exit. */
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

/** One brake mode. `actualM` is the kernel's distance D from 50 ft to stop. */
export interface ModeResult {
  autobrake: string;
  label: string;
  order: number;
  airDistanceM: number;
  /** from the threshold to the point where braking is full */
  brakesOnM: number;
  actualM: number;
  landingM: number;
  landingAboveLda: boolean;
  factoredM: number;
  factoredAboveLda: boolean;
  unfactoredM: number;
  unfactoredAboveLda: boolean;
  brakeEnergyPerBrakeJ: number;
  /** whether corrections are combined by physics, or added as the tables of the maker do (family A) */
  combination: 'physics' | 'added';
  cooling: BrakeCooling | null;
}

/** A brake mode of the case without distances: it does not stop here, or it cannot be used. */
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
  /** additive over VREF of the flap, knots */
  additiveKt: number;
  vAppDetails: VAppDetails | null;
}

interface Common {
  flap: string;
  rwycc: RwyccCode;
  speeds: Speeds;
  /** percent, one engine out, at the stated share of the go-around altitude */
  goAroundGradientPercent: number;
  goAroundAltitudeM: number;
  cautions: Caution[];
  applied: Applied[];
  quality: QualityMark;
}

export type InflightResult = Common & {
  mode: 'inflight';
  massKg: number;
  isOverweight: boolean;
  structuralKg: number;
  modes: ModeResult[];
  /** modes of the case that are not among `modes` */
  unusable: UnusableMode[];
  exits: ExitResult[];
  nonNormal: readonly string[];
  limits: Limits;
};

export type LimitKey = 'fieldKg' | 'approachClimbKg' | 'landingClimbKg' | 'tireKg' | 'macgKg';

/** Weight limits in kg; null: cannot be computed, not active or not limiting, and left out of the minimum. */
export interface Limits {
  /** met at every weight of this aircraft, far above the maximum takeoff weight */
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
  landingMassKg: number;
  limitedBy: LimitName;
  limits: Limits;
  quickTurnMinutes: number | null;
  requiredM: number;
  actualM: number;
  /** the required distance is a multiple of the actual one: contaminated, autoland */
  isActualFactored: boolean;
  factoredM: number;
  airDistanceM: number;
  brakesOnM: number;
  exits: ExitResult[];
};

export type LandingOutcome = Outcome<InflightResult | DispatchResult>;

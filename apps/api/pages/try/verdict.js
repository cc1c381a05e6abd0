/**
 * The verdict of a result as a word, a sentence and a colour.
 * @import { Landing, Possible, Takeoff } from './api.js'
 */
import { withUnit } from './units.js';

const tones = { good: 'good', tight: 'warn', bad: 'bad', none: 'none' };
const capital = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Word and colour of a mode or a landing, as in the drawing. @param {Pick<Landing, 'shown'>} of */
export const wordOf = ({ shown }) =>
  shown ? { tone: tones[shown.tone], text: capital(shown.text) } : { tone: 'none', text: 'Not available' };

const plainWords = {
  FITS: 'fits',
  MARGIN_NOT_MET: 'margin not met',
  LIMIT_EXCEEDED: 'limit exceeded',
  ABOVE_LDA: 'too long',
  CANNOT_STOP: 'does not stop',
  NOT_AVAILABLE: 'not available',
};
/** A verdict as table text. */
export const verdictText = (verdict) => plainWords[verdict];

const headlines = {
  FITS: 'Landing fits',
  SMALL_MARGIN: 'Landing fits, with a small margin',
  MARGIN_NOT_MET: 'Stops, but the margin is not met',
  LIMIT_EXCEEDED: 'A limit is exceeded',
  ABOVE_LDA: 'Runway too short',
  CANNOT_STOP: 'The aircraft does not stop',
};

/** @param {Pick<Landing | Takeoff, 'limitsExceeded'>} of */
const exceeded = ({ limitsExceeded = [] }) => limitsExceeded.map(({ text }) => ` ${text}`).join('');

export const listOf = (labels) =>
  labels.length < 2 ? labels.join('') : `${labels.slice(0, -1).join(', ')} and ${labels.at(-1)}`;

/** Best first; of the modes with the best verdict, the one that brakes least. */
const ranks = ['FITS', 'SMALL_MARGIN', 'MARGIN_NOT_MET', 'LIMIT_EXCEEDED', 'ABOVE_LDA', 'CANNOT_STOP'];
const rankOf = ({ shown }) => ranks.indexOf(shown.verdict);

const best = (modes) => {
  const least = Math.min(...modes.map(rankOf));
  const equal = modes.filter((mode) => rankOf(mode) === least);
  return least === 0 ? equal.at(-1) : equal.toSorted((a, b) => a.factoredDistance - b.factoredDistance)[0];
};

/** @param {Landing} performance The chosen mode, else the best one within its limits, else the one nearest to them. */
const inFlight = (performance, { autobrake, system }) => {
  const modes = performance.autobrakeLandingDist ?? [];
  const fitting = modes.filter(({ verdict }) => verdict === 'FITS');
  const mode = modes.find(({ autobrakeValue }) => autobrakeValue === autobrake) ?? best(modes);
  if (!mode) return { tone: 'bad', title: 'No brake mode can be used', text: '', mode: null };
  const length = (value) => withUnit(system, 'distance', value);
  const others =
    autobrake || fitting.length === 0
      ? ''
      : fitting.length === modes.length && (performance.autobrakeNotPossible ?? []).length === 0
        ? ' Every brake mode fits.'
        : ` ${listOf(fitting.map(({ label }) => label))} ${fitting.length === 1 ? 'fits' : 'fit'}.`;
  const margin = mode.margin < 0 ? `${length(-mode.margin)} are missing` : `${length(mode.margin)} to spare`;
  return {
    tone: wordOf(mode).tone,
    title: headlines[mode.shown.verdict],
    text: `${mode.label}: ${length(mode.factoredDistance)} needed of ${length(performance.lda)}, ${margin}.${others}${exceeded(performance)}`,
    mode: mode.autobrakeValue,
    needed: mode.factoredDistance,
  };
};

const limits = {
  'STRUCT.': 'the structure',
  MACG: 'the missed approach climb gradient',
  FIELD: 'the runway length',
  CLIMB: 'the climb',
  QUICK: 'the quick turnaround',
  TIRE: 'the tire speed',
};

/**
 * @param {Landing} performance The maximum weight for this runway, compared with the planned weight if there is one.
 */
const dispatch = (performance, { numbers, system }) => {
  const { landingWeight: greatest, limitedBy, requiredLandingDist: needed = 0, lda, shown } = performance;
  // Rounded like the limits.
  const planned = Math.round(numbers.landingWeight);
  const weight = (value) => withUnit(system, 'weight', value);
  const isTooHeavy = planned > greatest;
  const spare = isTooHeavy
    ? `${weight(planned - greatest)} too heavy`
    : planned > 0
      ? `${weight(greatest - planned)} to spare`
      : '';
  return {
    tone: isTooHeavy ? 'bad' : wordOf(performance).tone,
    title: isTooHeavy || !shown ? 'Too heavy for this landing' : headlines[shown.verdict],
    text: `At most ${weight(greatest)}, limited by ${limits[limitedBy ?? ''] ?? 'nothing'}${spare && `; ${spare} at ${weight(planned)}`}. At that weight ${withUnit(system, 'distance', needed)} of ${withUnit(system, 'distance', lda)} are needed.${exceeded(performance)}`,
    mode: null,
    needed,
  };
};

const takeoffLimits = {
  STRUCT: 'the structure',
  FIELD: 'the runway length',
  CLIMB: 'the climb',
  OBSTACLE: 'the obstacles',
  TYRE: 'the tire speed',
  BRAKE: 'the brakes',
};
const takeoffTitles = {
  FITS: 'Takeoff fits',
  LIMIT_EXCEEDED: 'A limit is exceeded',
  TOO_HEAVY: 'Too heavy for this takeoff',
  NO_TAKEOFF: 'No takeoff is possible here',
};

/** @param {Takeoff} performance The maximum weight for this runway, compared with the planned weight. */
const takeoff = (performance, { system }) => {
  const {
    maxTakeoffWeight: most,
    takeoffWeight: planned,
    limitedBy,
    nextLimitedBy,
    verdict,
    shown,
  } = performance;
  const weight = (value) => withUnit(system, 'weight', value);
  const next = nextLimitedBy === null ? '' : `, then by ${takeoffLimits[nextLimitedBy]}`;
  const limit =
    most === null
      ? `No weight passes the limit of ${takeoffLimits[limitedBy]}.`
      : `At most ${weight(most)}, limited by ${takeoffLimits[limitedBy]}${next}.`;
  const spare =
    planned === null || most === null
      ? ''
      : ` ${planned > most ? `${weight(planned - most)} too heavy` : `${weight(most - planned)} to spare`} at ${weight(planned)}.`;
  const speeds =
    performance.v1 === null
      ? ''
      : ` V1 ${performance.v1}, VR ${performance.vR}, V2 ${performance.v2} kt${performance.assumedTemperature === null ? ' at full thrust' : ` with ${performance.assumedTemperature} °C assumed`}.`;
  return {
    tone: shown ? tones[shown.tone] : 'none',
    title: takeoffTitles[verdict] ?? 'Limits',
    text: `${limit}${spare}${speeds}${exceeded(performance)}`,
    mode: null,
  };
};

/** @param {Possible} answer */
export const verdictOf = (answer, values) => {
  if (answer.subCalculation === 'TAKEOFF') return takeoff(answer.performance, values);
  return (answer.subCalculation === 'LANDING_DISPATCH' ? dispatch : inFlight)(answer.performance, values);
};

/** What a result means, in one word, one sentence and a colour. */
import { withUnit } from './units.js';

const tones = { good: 'good', tight: 'warn', bad: 'bad', none: 'none' };
const capital = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Word and colour of a mode or a landing, the same as in the drawing. */
export const wordOf = ({ shown }) =>
  shown ? { tone: tones[shown.tone], text: capital(shown.text) } : { tone: 'none', text: 'Not available' };

const headlines = {
  FITS: 'Landing fits',
  SMALL_MARGIN: 'Landing fits, with a small margin',
  MARGIN_NOT_MET: 'Stops, but the margin is not met',
  LIMIT_EXCEEDED: 'A limit is exceeded',
  ABOVE_LDA: 'Runway too short',
  CANNOT_STOP: 'The aircraft does not stop',
};

const exceeded = ({ limitsExceeded = [] }) => limitsExceeded.map(({ text }) => ` ${text}`).join('');

const listOf = (labels) =>
  labels.length < 2 ? labels.join('') : `${labels.slice(0, -1).join(', ')} and ${labels.at(-1)}`;

/** Of the chosen mode, or of the one that needs the least braking and fits, else the shortest. */
const inFlight = ({ performance }, { autobrake, system }) => {
  const modes = performance.autobrakeLandingDist ?? [];
  const fitting = modes.filter(({ verdict }) => verdict === 'FITS');
  const shortest = modes.toSorted((a, b) => a.factoredDistance - b.factoredDistance)[0];
  const mode = modes.find(({ autobrakeValue }) => autobrakeValue === autobrake) ?? fitting.at(-1) ?? shortest;
  if (!mode) return { tone: 'bad', title: 'No brake mode can be used', text: '', mode: null };
  const length = (value) => withUnit(system, 'distance', value);
  const others =
    autobrake || fitting.length === 0
      ? ''
      : fitting.length === modes.length
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

/** The greatest weight for this runway, against the planned weight where one was entered. */
const dispatch = ({ performance }, { landingWeight, system }) => {
  const { landingWeight: greatest, limitedBy, requiredLandingDist: needed, lda } = performance;
  const planned = Number(landingWeight);
  const weight = (value) => withUnit(system, 'weight', value);
  const isTooHeavy = planned > greatest;
  const spare = isTooHeavy
    ? `${weight(planned - greatest)} too heavy`
    : planned > 0
      ? `${weight(greatest - planned)} to spare`
      : '';
  return {
    tone: isTooHeavy ? 'bad' : wordOf(performance).tone,
    title: isTooHeavy ? 'Too heavy for this landing' : headlines[performance.shown.verdict],
    text: `At most ${weight(greatest)}, limited by ${limits[limitedBy] ?? 'nothing'}${spare && `; ${spare} at ${weight(planned)}`}. At that weight ${withUnit(system, 'distance', needed)} of ${withUnit(system, 'distance', lda)} are needed.${exceeded(performance)}`,
    mode: null,
    needed,
  };
};

export const verdictOf = (answer, values) =>
  answer.subCalculation === 'LANDING_DISPATCH' ? dispatch(answer, values) : inFlight(answer, values);

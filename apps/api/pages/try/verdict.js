/** What a result means, in one word, one sentence and a colour. */
import { withUnit } from './units.js';

const words = {
  FITS: { tone: 'good', text: 'Fits' },
  MARGIN_NOT_MET: { tone: 'warn', text: 'Margin not met' },
  ABOVE_LDA: { tone: 'bad', text: 'Too long' },
  CANNOT_STOP: { tone: 'bad', text: 'Cannot stop' },
  NOT_AVAILABLE: { tone: 'none', text: 'Not available' },
};
export const wordOf = (verdict) => words[verdict] ?? words.NOT_AVAILABLE;

const headlines = {
  FITS: 'Landing fits',
  MARGIN_NOT_MET: 'Stops, but the margin is not met',
  ABOVE_LDA: 'Runway too short',
  CANNOT_STOP: 'The aircraft does not stop',
};

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
    tone: wordOf(mode.verdict).tone,
    title: headlines[mode.verdict],
    text: `${mode.label}: ${length(mode.factoredDistance)} needed of ${length(performance.lda)}, ${margin}.${others}`,
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
    tone: isTooHeavy ? 'bad' : 'good',
    title: isTooHeavy ? 'Too heavy for this landing' : 'Landing fits',
    text: `At most ${weight(greatest)}, limited by ${limits[limitedBy] ?? 'nothing'}${spare && `; ${spare} at ${weight(planned)}`}. At that weight ${withUnit(system, 'distance', needed)} of ${withUnit(system, 'distance', lda)} are needed.`,
    mode: null,
    needed,
  };
};

export const verdictOf = (answer, values) =>
  answer.subCalculation === 'LANDING_DISPATCH' ? dispatch(answer, values) : inFlight(answer, values);

import type { Token, WeatherGroup } from './groups.ts';

/** The colours of the weather texts, in wire format. */
export const highlightColours = {
  warning: '#E53935',
  caution: '#FFB300',
  good: '#43A047',
  info: '#9E9E9E',
  station: '#29B6F6',
} as const;

export interface HighlightItem {
  text: string;
  color: string | null;
  spaceSuffix: boolean;
}

/** Groups beyond these values are coloured; speeds in kt, lengths in metres, heights in feet. */
const limits = {
  windKt: { caution: 20, warning: 30 },
  visibilityM: { caution: 5_000, warning: 1_000 },
  rvrM: { caution: 1_000, warning: 600 },
  ceilingFt: { caution: 800, warning: 300 },
};

/** One item per word: each `text`, plus one blank where `spaceSuffix` is true, restores the report exactly. */
export const highlight = (tokens: readonly Token[]): HighlightItem[] =>
  tokens.map((token) => ({
    text: token.text,
    color: colourOf(token),
    spaceSuffix: token.spaceSuffix,
  }));

const colourOf = ({ group, section }: Token): string | null => {
  switch (group.kind) {
    case 'station':
      return highlightColours.station;
    case 'wind': {
      const strongestKt = Math.max(group.speedKt ?? 0, group.gustKt ?? 0);
      if (strongestKt > limits.windKt.warning) return highlightColours.warning;
      if (strongestKt > limits.windKt.caution) return highlightColours.caution;
      return group.directionDeg === 0 && group.speedKt === 0 ? highlightColours.good : null;
    }
    case 'visibility':
      return group.metres === null ? null : below(group.metres, limits.visibilityM);
    case 'rvr':
      return group.minM === null ? null : atMost(group.minM, limits.rvrM);
    case 'weather':
      return weatherColour(group);
    case 'cloud':
      return cloudColour(group.amount, group.baseFt, group.type);
    case 'verticalVisibility':
      return cloudColour('VV', group.feet, null);
    case 'noCloud':
      // NCD only means that the sensor detected no clouds.
      return group.word === 'NCD' ? null : highlightColours.good;
    case 'cavok':
    case 'nosig':
      return highlightColours.good;
    case 'windShear':
      return highlightColours.warning;
    case 'runwayState':
      return group.closed ? highlightColours.warning : null;
    case 'change':
    case 'changeTime':
    case 'remarkStart':
    case 'remark':
      return highlightColours.info;
    case 'validity':
      return section === 'change' ? highlightColours.info : null;
    default:
      return null;
  }
};

const below = (value: number, limit: { caution: number; warning: number }): string | null =>
  value < limit.warning ? highlightColours.warning : value < limit.caution ? highlightColours.caution : null;

const atMost = (value: number, limit: { caution: number; warning: number }): string | null =>
  value <= limit.warning
    ? highlightColours.warning
    : value <= limit.caution
      ? highlightColours.caution
      : null;

const cloudColour = (amount: string | null, baseFt: number | null, type: string | null): string | null => {
  const ceiling = amount === 'BKN' || amount === 'OVC' || amount === 'VV';
  if (ceiling && baseFt !== null && baseFt <= limits.ceilingFt.warning) return highlightColours.warning;
  if (ceiling && baseFt !== null && baseFt < limits.ceilingFt.caution) return highlightColours.caution;
  return type === 'CB' || type === 'TCU' ? highlightColours.caution : null;
};

const warningPhenomena = new Set(['SQ', 'FC', 'VA', 'DS', 'SS', 'PO', 'GR']);
const cautionPhenomena = new Set(['DZ', 'RA', 'SN', 'SG', 'IC', 'PL', 'GS', 'UP', 'FG']);

const weatherColour = ({ intensity, descriptor, phenomena }: WeatherGroup): string | null => {
  if (intensity === 'VC')
    return phenomena.some((p) => warningPhenomena.has(p)) ? highlightColours.warning : vicinity(descriptor);
  const severe = intensity === '+' || descriptor === 'FZ' || descriptor === 'TS';
  if (severe || phenomena.some((p) => warningPhenomena.has(p))) return highlightColours.warning;
  return descriptor === 'SH' || phenomena.some((p) => cautionPhenomena.has(p))
    ? highlightColours.caution
    : null;
};

const vicinity = (descriptor: string): string | null =>
  descriptor === 'TS' || descriptor === 'SH' ? highlightColours.caution : null;

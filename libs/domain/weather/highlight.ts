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

/** Wind above and other values below these are coloured; speeds in kt, lengths in metres, heights in feet. */
const limits = {
  windKt: { caution: 20, warning: 30 },
  visibilityM: { caution: 5_000, warning: 1_000 },
  // At most 1,000 and 600 m, and a ceiling of at most 300 ft.
  rvrM: { caution: 1_001, warning: 601 },
  ceilingFt: { caution: 800, warning: 301 },
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
      return severity(group.metres, limits.visibilityM);
    case 'rvr':
      return severity(group.minM, limits.rvrM);
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
      return highlightColours.good;
    case 'windShear':
      return highlightColours.warning;
    case 'runwayState':
      return group.closed ? highlightColours.warning : null;
    case 'change':
      return group.change === 'NOSIG' ? highlightColours.good : highlightColours.info;
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

const severity = (value: number | null, limit: { caution: number; warning: number }): string | null => {
  if (value === null || value >= limit.caution) return null;
  return value < limit.warning ? highlightColours.warning : highlightColours.caution;
};

const cloudColour = (amount: string | null, baseFt: number | null, type: string | null): string | null => {
  const isCeiling = amount === 'BKN' || amount === 'OVC' || amount === 'VV';
  const ceiling = isCeiling ? severity(baseFt, limits.ceilingFt) : null;
  return ceiling ?? (type === 'CB' || type === 'TCU' ? highlightColours.caution : null);
};

const warningPhenomena = new Set(['SQ', 'FC', 'VA', 'DS', 'SS', 'PO', 'GR']);
const cautionPhenomena = new Set(['DZ', 'RA', 'SN', 'SG', 'IC', 'PL', 'GS', 'UP', 'FG']);

const weatherColour = ({ intensity, descriptor, phenomena }: WeatherGroup): string | null => {
  const isNear = intensity === 'VC';
  const isSevere = intensity === '+' || descriptor === 'FZ' || descriptor === 'TS';
  if ((isSevere && !isNear) || phenomena.some((p) => warningPhenomena.has(p)))
    return highlightColours.warning;
  const isCaution =
    descriptor === 'SH' || (isNear ? descriptor === 'TS' : phenomena.some((p) => cautionPhenomena.has(p)));
  return isCaution ? highlightColours.caution : null;
};

/** What an ATIS states besides its runways: transition level, QNH and the condition of runways. */
import { z } from 'zod';
import { atisText, runwaysIn } from './atis-text.ts';
import type { AtisNetwork, NetworkStations } from './atis-text.ts';
import { hpaFromInHg } from './report.ts';

export const atisFactsSchema = z
  .array(
    z.strictObject({
      source: z.enum(['IVAO', 'VATSIM']).describe('the online network'),
      callsign: z.string(),
      transitionLevel: z.int().nullable().describe('flight level; null: not stated'),
      qnh: z.int().nullable().describe('hPa, converted from inches by rounding down; null: not stated'),
      runwayConditions: z
        .array(
          z.strictObject({
            runways: z.array(z.string()).describe('runways named; empty: none'),
            codes: z
              .array(z.int().min(0).max(6))
              .nullable()
              .describe('runway condition codes of the three thirds; null: not stated'),
            surface: z
              .string()
              .nullable()
              .describe(
                'surface as worded in the ATIS, e.g. `WET`, `CLEAR AND DRY`; null: only codes are given',
              ),
          }),
        )
        .describe('runway conditions stated; empty: none'),
    }),
  )
  .describe('one entry for each ATIS; controllers write it by hand, so calculations do not use it');
type AtisFacts = z.output<typeof atisFactsSchema>[number];

const level =
  /\b(?:TRL|T\/?L|TRANSITION (?:LEVEL|LVL))[:,]? ?(?:IS )?(?:FLIGHT LEVEL |FL ?)?(\d{2,3})\b(?! ?(?:M|FT|FEET)\b)/;
const pressure = /\b(?:QNH[:,]? ?A?|Q ?)(\d{4}|\d{3}(?: \d\b)?)\b|\b(?:A|ALTIM(?:ETER)?[:,]? )(\d{4})\b/g;

/** Pressures possible at sea level; `A1022` is in hectopascals despite its letter. */
const hpaOf = (value: number): number | null => {
  if (value >= 850 && value <= 1_100) return value;
  return value >= 2_500 && value <= 3_250 ? hpaFromInHg(value / 100) : null;
};

const named = String.raw`(?:RWY ((?:\d{1,2}[LRC]?\b(?:,? (?:AND |& )?)?)+)?)`;
/** `RWY 06 COND CODE 4 4 4`, `RWYCC 5/5/5`, `GRF RWY 27, 5/5/5`. */
const coded = new RegExp(
  String.raw`${named}?(?:(?:SURFACE )?COND(?:ITION)?(?: REPORT [^.]*\.(?: RWY COND(?:ITION)?)?)?,? CODES?|(?:RWY)?CC|RCC|GRF),? ?(?:FOR )?${named}?((?:[0-6](?: (?:DOWN|UP)GRADED)?[ ,/]*){3})(?!\d)`,
  'g',
);
const material = String.raw`(?:CLEAR AND DRY|DRY AND CLEAN|BARE AND DRY|(?:DRY|WET|COMPACTED) SNOW|STANDING WATER|SLIPPERY WET|DRY|WET|DAMP|SLUSH|FROST|ICE|SNOW)`;
const worded = new RegExp(
  String.raw`(?:${named}|SURFACE )(?:(?:IS|SURFACE|COND(?:ITIONS?)?|COVERED WITH|AT \d{4}|\d+ PCT),? ?)*\b(${material}(?:,? ${material}){0,2})\b`,
  'g',
);

const factsOf = (lines: readonly string[], source: AtisNetwork): Omit<AtisFacts, 'source' | 'callsign'> => {
  const text = atisText(lines, source);
  const pressures = [...text.matchAll(pressure)].map(([, qnh, altimeter]) =>
    hpaOf(Number((qnh ?? altimeter ?? '').replace(' ', ''))),
  );
  return {
    transitionLevel: Number(level.exec(text)?.[1]) || null,
    qnh: pressures.find((hpa) => hpa !== null) ?? null,
    runwayConditions: [
      ...[...text.matchAll(coded)].map(([, before, behind, codes = '']) => ({
        runways: runwaysIn(before ?? behind),
        codes: [...codes.matchAll(/\d/g)].map(Number),
        surface: null,
      })),
      ...[...text.matchAll(worded)].map(([, runways, surface = '']) => ({
        runways: runwaysIn(runways),
        codes: null,
        surface,
      })),
    ],
  };
};

/** Facts of each ATIS on both networks, in station order. */
export const atisFacts = ({ networkA, networkB }: NetworkStations): AtisFacts[] =>
  (
    [
      ['IVAO', networkA],
      ['VATSIM', networkB],
    ] as const
  ).flatMap(([source, stations]) =>
    (stations ?? []).map(({ callsign, atis }) => ({ source, callsign, ...factsOf(atis, source) })),
  );

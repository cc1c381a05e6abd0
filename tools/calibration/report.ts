import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { OutsideTable } from './outside.ts';
import { byGroup, evaluate } from './residuals.ts';
import type { GroupStatistics } from './residuals.ts';
import type { Dataset, Point } from './types.ts';

const unit: Record<Point['error'], string> = { percent: '%', kg: 'kg', kt: 'kt', gradient: '% gradient' };

export interface Section {
  profile: AircraftProfile;
  dataset: Dataset;
}

const digitsOf = (entry: GroupStatistics): number => (entry.error === 'kg' ? 0 : 2);
const numbersOf = (entry: GroupStatistics): string =>
  [entry.rms, entry.max, entry.bias].map((value) => value.toFixed(digitsOf(entry))).join(' | ');

/** Blocks that determine a landing; without a fit for the type itself, the evidence is thin. */
const decisive = ['inflight', 'dispatch', 'speeds', 'climb'];

/** A type's first line: how well published numbers support it. */
const evidence = (profile: AircraftProfile): string => {
  const thin = profile.provenance
    .filter((entry) => entry.quality === 'estimated' && decisive.includes(entry.block))
    .map((entry) => entry.block);
  return thin.length > 0
    ? `**Thin evidence**: ${thin.join(', ')} estimated, not fitted to published numbers of this type.`
    : 'Landing blocks (speeds, in flight, dispatch, climb) are fitted to published numbers.';
};

const section = ({ profile, dataset }: Section): string => {
  const rows = byGroup(evaluate(profile, dataset.points)).map((entry) => {
    const used = dataset.points.some((point) => point.group === entry.group && point.weight > 0)
      ? 'fit'
      : 'judge';
    return `| ${entry.group} | ${used} | ${entry.count} | ${numbersOf(entry)} | ${unit[entry.error]} |`;
  });
  const quality = profile.provenance.map((entry) => `${entry.block} ${entry.quality}`).join(', ');
  const table =
    rows.length > 0
      ? ['| Group | Use | Points | RMS | Max | Bias | Unit |', '|---|---|---|---|---|---|---|', ...rows]
      : ['No published numbers in the repository.'];
  return [
    `## ${profile.id}`,
    '',
    evidence(profile),
    '',
    `${profile.profile.description}. Quality by block: ${quality}.`,
    '',
    ...table,
    '',
    ...(dataset.sources.length > 0
      ? ['Sources:', '', ...dataset.sources.map((source) => `- ${source}`), '']
      : []),
  ].join('\n');
};

interface Kind {
  title: string;
  bar: string;
  match: (point: Point) => boolean;
}
/** The summary's columns for each aircraft, with their targets. */
export const kinds: readonly Kind[] = [
  {
    title: 'in flight',
    bar: '2.0 %, A320 3.0 %',
    match: (point) => 'input' in point && point.input.mode === 'inflight' && point.path.startsWith('modes.'),
  },
  { title: 'dispatch distances', bar: '2.0 %', match: (point) => /^dispatch|^RLD/.test(point.group) },
  { title: 'climb limit weight', bar: '600 kg', match: (point) => point.group.startsWith('climb limit') },
  { title: 'quick turnaround weight', bar: '1500 kg', match: (point) => point.group.startsWith('quick') },
];

/** One line per kind of number and aircraft, over all points, including those not used in the fit. */
const summary = (sections: readonly Section[]): string[] =>
  sections.flatMap(({ profile, dataset }) =>
    kinds.flatMap(({ title, bar, match }) => {
      const points = dataset.points.filter(match).map((point) => ({ ...point, group: title }));
      const [all] = byGroup(evaluate(profile, points));
      if (!all) return [];
      const digits = digitsOf(all);
      return [
        `| ${profile.id} | ${title} | ${all.count} | ${all.rms.toFixed(digits)} | ${all.max.toFixed(digits)} | ${unit[all.error]} | ${bar} |`,
      ];
    }),
  );

/** Heading of the section that needs a file of outside points; without one, the page keeps its old text. */
export const outsideHeading = '## Outside tables, by type and code';

/**
 * Tables from outside the repository, compared with a profile. The page contains only these statistics, not the points.
 */
export const outsideSection = (
  tables: readonly OutsideTable[],
  profiles: ReadonlyMap<string, AircraftProfile>,
): string =>
  [
    outsideHeading,
    '',
    'The points of these published tables are not in the repository; `npm run calibrate -- --page --outside <file>` repeats',
    'this part. Tables with a fixed air part of 305 m are compared by ground roll, the others by distance. Half of the',
    'points of each table were used in the fit, the other half only for comparison. Bars: RMS 6 %, bias 4 %, VREF 2 kt.',
    '',
    'Notes on tables that disagree or are missing:',
    '',
    '- 737-800: the performance card in the repository is more reliable (air part, brake modes and reversers stated,',
    '  308 numbers). In the outside table the ground roll is up to 3 % longer on codes 6 and 5, and 5 % shorter on code 1, which exceeds',
    '  the limit for the bias; changing friction, idle or reverse thrust to match it makes the distances of the card worse.',
    '- 747-8 and 787-9: only tables of the 747-8F and 787-8 are available; weights and speeds are those of',
    '  their own type.',
    '- A319 and A320 autobrake tables predate in-flight distances with an air phase of 7 s; the whole distance is',
    '  compared, so the medium autobrake remains a few percent longer.',
    '- VREF of the 777-200: the table of the 777-200ER (135 kt at 200 t, flaps 30) contradicts the commonly quoted 138 kt',
    '  at the maximum landing weight; the profile follows the table.',
    '- VREF of the 777-300ER: the table of the 777F has 145 kt at 244.9 t, flaps 30, between 137 and 158 kt at 36 t less and',
    '  more, while 149 kt at 251.3 t is commonly quoted; the profile has 146.4 and 148.4 kt.',
    '- VREF of the 737-700: two tables differ by 1 kt at 55 t; the profile is within 1.5 kt of both up to its takeoff weight.',
    '- VLS of the A321neo: taken from the A321 (V2500), up to 5 kt above the 140 kt formerly estimated at its landing weight.',
    '- VLS of the A330, CONF 3: two tables differ by 2 kt above 160 t; the profile is within 1.7 kt of both.',
    '',
    '| Table | Profile | Group | Points | RMS | Max | Bias | Unit |',
    '|---|---|---|---|---|---|---|---|',
    ...tables.flatMap((table) => {
      const profile = profiles.get(table.profile);
      if (!profile) return [];
      return byGroup(evaluate(profile, table.points))
        .toSorted((a, b) => a.group.localeCompare(b.group))
        .map(
          (entry) =>
            `| ${table.type} | ${table.profile} | ${entry.group} | ${entry.count} | ${numbersOf(entry)} | ${unit[entry.error]} |`,
        );
    }),
    '',
  ].join('\n');

/** The generated validation page: RMS, largest error and bias by aircraft and group, and the sources. */
export const validationPage = (sections: readonly Section[], outside: string): string =>
  [
    '# Performance validation',
    '',
    'Generated by `npm run calibrate -- --page`; do not edit. Errors are engine minus published value. Groups marked',
    '`fit` were used to fit the parameters, groups marked `judge` were not. Distances are actual distances from 50 ft',
    'to a stop, compared with published distances before any margin.',
    '',
    '## Summary',
    '',
    'Over all points of a kind; no single distance may differ by more than 8 %.',
    '',
    '| Aircraft | Numbers | Points | RMS | Max | Unit | Bar for the RMS |',
    '|---|---|---|---|---|---|---|',
    ...summary(sections),
    '',
    outside,
    ...sections.map((entry) => section(entry)),
  ].join('\n');

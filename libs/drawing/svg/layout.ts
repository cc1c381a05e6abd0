import type { LandingScene, SceneRow } from './scene.ts';
import { shortened, textWidth } from './text.ts';

/** Page width and margins (px): legible on a phone, at half the size. */
export const page = { width: 800, left: 28, right: 772 } as const;

/** Start of the pavement; zero is the landing threshold. */
export const startOf = ({ runway }: LandingScene): number => -runway.beforeM;
export const endOf = ({ runway }: LandingScene): number => runway.ldaM + runway.beyondM;

/** Bars longer than this many pavement lengths would make everything else too small. */
const usefulLengths = 2;
/** Room for the mark on a truncated bar. */
const breakPx = 16;

/** Scale of the drawing: metres from the threshold to px, up to the longest bar shown in full. */
export interface Scale {
  x: (metres: number) => number;
  /** Metres at the right edge of the page. */
  endM: number;
  /** Longer bars are truncated. */
  limitM: number;
}

const furthestM = (row: SceneRow): number => Math.max(row.solidM, row.tailM ?? 0);

/** Scale for bars (m) above a strip from `start` to `end`; `bands` are the upper ends of the bars. */
export const scaleBetween = (
  start: number,
  end: number,
  bars: readonly number[],
  bands: readonly number[] = bars,
): Scale => {
  const limitM = start + (end - start) * usefulLengths;
  const hasCut = bars.some((metres) => metres > limitM);
  const endM = Math.max(end, ...(hasCut ? [limitM] : bands));
  const span = page.right - (hasCut ? breakPx : 0) - page.left;
  return { x: (metres) => page.left + ((metres - start) / (endM - start)) * span, endM, limitM };
};

export const scaleOf = (scene: LandingScene): Scale =>
  scaleBetween(
    startOf(scene),
    endOf(scene),
    scene.rows.map(furthestM),
    scene.rows.map((row) => Math.max(furthestM(row), row.bandM?.[1] ?? 0)),
  );

/** The displaced part of the pavement, without closed parts, metres. */
export const displacedPart = (scene: LandingScene): { fromM: number; toM: number } => {
  const { closed } = scene.runway;
  const start = startOf(scene);
  const fromM = Math.max(start, ...closed.filter((part) => part.fromM <= start + 0.1).map(({ toM }) => toM));
  const toM = Math.min(0, ...closed.filter((part) => part.fromM > start + 0.1).map((part) => part.fromM));
  return { fromM, toM };
};

/** True if the pavement ends visibly behind the landing distance available. */
export const hasPavementBehind = (scene: LandingScene, x: Scale['x']): boolean =>
  x(endOf(scene)) - x(scene.runway.ldaM) > 3;

/** Label of one exit or several close ones; `x` is its centre, `at` the exit on the runway. */
interface ExitLabel {
  text: string;
  at: number;
  x: number;
  width: number;
  isHighSpeed: boolean;
}

interface ExitLabels {
  labels: ExitLabel[];
  /** Labels are rotated by 90 degrees if they do not fit side by side. */
  isTurned: boolean;
  /** Height (px) of the labels. */
  height: number;
}

export const exitFont = 20;
const labelGap = 10;
const turnedWidth = 26;
const longestName = 150;
/** Exits at the same place, to the left and right of the runway. */
const samePlaceM = 15;

interface Cluster {
  members: number[];
  centre: number;
}

/**
 * Centres of labels in a row: as near as possible to their places, at least `gap` apart and within the page.
 * Overlapping labels form a cluster around their mean, which grows until nothing overlaps.
 */
export const spread = (wanted: readonly number[], widths: readonly number[], gap: number): number[] => {
  const sizeOf = (members: readonly number[]): number =>
    members.reduce((sum, i) => sum + (widths[i] ?? 0) + gap, -gap);
  const placed = (members: number[]): Cluster => {
    const half = sizeOf(members) / 2;
    let before = 0;
    const offsets = members.map((i) => {
      const offset = before + (widths[i] ?? 0) / 2 - half;
      before += (widths[i] ?? 0) + gap;
      return (wanted[i] ?? 0) - offset;
    });
    const mean = offsets.reduce((sum, value) => sum + value, 0) / offsets.length;
    return { members, centre: Math.min(page.right - half, Math.max(page.left + half, mean)) };
  };
  let clusters: Cluster[] = [];
  for (const i of wanted.keys()) {
    let next = placed([i]);
    for (let last = clusters.at(-1); last; last = clusters.at(-1)) {
      if (last.centre + sizeOf(last.members) / 2 + gap <= next.centre - sizeOf(next.members) / 2) break;
      clusters = clusters.slice(0, -1);
      next = placed([...last.members, ...next.members]);
    }
    clusters.push(next);
  }
  const centres: number[] = [];
  for (const { members, centre } of clusters) {
    let left = centre - sizeOf(members) / 2;
    for (const i of members) {
      centres[i] = left + (widths[i] ?? 0) / 2;
      left += (widths[i] ?? 0) + gap;
    }
  }
  return centres;
};

type Place = Pick<ExitLabel, 'text' | 'at' | 'isHighSpeed'> & { lastM: number };

/** Exits at the same place share a label; if even rotated labels do not fit, neighbours share one, too. */
const placesOf = (scene: LandingScene, scale: Scale): Place[] => {
  const places: Place[] = [];
  const most = Math.floor((page.right - page.left) / (turnedWidth + 2));
  const exits = scene.exits
    .filter((exit) => exit.distanceM > 0 && exit.distanceM < endOf(scene))
    .toSorted((a, b) => a.distanceM - b.distanceM);
  const samePlace = exits.length > most ? (endOf(scene) - startOf(scene)) / most : samePlaceM;
  for (const { name, distanceM, isHighSpeed } of exits) {
    const last = places.at(-1);
    if (last && distanceM - last.lastM < samePlace) last.text += `/${name}`;
    else places.push({ text: name, at: scale.x(distanceM), isHighSpeed, lastM: distanceM });
  }
  return places;
};

/** Labels of the exits. They do not overlap, and their leaders do not cross. */
export const exitLabels = (scene: LandingScene, scale: Scale): ExitLabels => {
  const places = placesOf(scene, scale).map((place) => ({
    ...place,
    text: shortened(place.text, exitFont, longestName, true),
  }));
  const widths = places.map(({ text }) => textWidth(text, exitFont, true));
  const wanted = places.map((place) => place.at);
  const total = widths.reduce((sum, width) => sum + width + labelGap, 0);
  const isTurned = total > page.right - page.left;
  const thick = isTurned ? places.map(() => turnedWidth) : widths;
  const centres = spread(wanted, thick, isTurned ? 2 : labelGap);
  return {
    labels: places.map(({ text, at, isHighSpeed }, i) => ({
      text,
      at,
      isHighSpeed,
      x: centres[i] ?? at,
      width: thick[i] ?? 0,
    })),
    isTurned,
    height: places.length === 0 ? 0 : isTurned ? Math.max(...widths) + 8 : exitFont + 6,
  };
};

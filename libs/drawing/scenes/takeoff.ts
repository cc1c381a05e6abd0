import { allEngineFactor } from '#perf/kernel/constants.ts';
import type { TakeoffDrawingFacts, TakeoffPoints } from '#domain/performance/graphic.ts';
import type { TakeoffRequest } from '#domain/performance/takeoff-request.ts';
import type {
  TakeoffAnswer,
  TakeoffColumnAnswer,
  TakeoffPerformanceAnswer,
} from '#domain/performance/takeoff-result.ts';
import { flownColumn } from '#domain/performance/takeoff-result.ts';
import type { TakeoffColumnScene, TakeoffRow, TakeoffScene } from '../svg/takeoff-scene.ts';
import { notesOf, separatedFigures } from './landing.ts';
import { takeoffFactsOf } from './takeoff-facts.ts';
import { converter } from '#perf/wire/units.ts';
import type { Converter } from '#perf/wire/units.ts';

const rowOf = (
  label: string,
  needed: number | null,
  available: TakeoffRow['available'],
  limit: number,
  convert: Converter,
): Omit<TakeoffRow, 'segments' | 'events'> => ({
  label,
  available,
  neededM: needed === null ? null : convert.fromDistance(needed),
  availableM: convert.fromDistance(limit),
  marginM: needed === null ? 0 : convert.fromDistance(limit - needed),
  verdict: needed === null ? 'CANNOT_STOP' : needed <= limit ? 'FITS' : 'ABOVE_LDA',
});

const eventsOf = (list: readonly (readonly [string, number | null])[]): TakeoffRow['events'] =>
  list.flatMap(([name, atM]) => (atM === null ? [] : [{ name, atM }]));

/** Distances to continue, to stop, and with all engines, against what is available. */
const rowsOf = (
  { asd, eogd, agd }: TakeoffColumnAnswer,
  points: TakeoffPoints | null,
  { toda, asda }: TakeoffPerformanceAnswer,
  isDry: boolean,
  convert: Converter,
): TakeoffRow[] => {
  const { v1M = null, vrM = null, liftOffM = null } = points ?? {};
  const metres = (value: number | null): number | null =>
    value === null ? null : convert.fromDistance(value);
  const [goM, stopM, allM] = [metres(eogd), metres(asd), metres(agd)];
  const screen = isDry ? '35 ft' : '15 ft';
  const air = Math.min(liftOffM ?? Infinity, goM ?? 0);
  const accelerated = Math.min(v1M ?? Infinity, stopM ?? 0);
  return [
    {
      ...rowOf(`Engine out at V1, to ${screen}`, eogd, 'TODA', toda, convert),
      segments: [
        { kind: 'ground', toM: air },
        { kind: 'air', toM: goM ?? 0 },
      ],
      events: eventsOf([
        ['V1', v1M],
        ['VR', vrM],
        ['lift-off', liftOffM],
        [screen, goM],
      ]),
    },
    {
      ...rowOf('Stop from V1', asd, 'ASDA', asda, convert),
      segments: [
        { kind: 'ground', toM: accelerated },
        { kind: 'braking', toM: stopM ?? 0 },
      ],
      events: eventsOf([
        ['V1', stopM === null ? null : accelerated],
        ['stop', stopM],
      ]),
    },
    {
      ...rowOf('All engines, × 1.15', agd, 'TODA', toda, convert),
      segments: [
        { kind: 'ground', toM: (allM ?? 0) / allEngineFactor },
        { kind: 'factor', toM: allM ?? 0 },
      ],
      events: [],
    },
  ];
};

const columnsOf = (
  request: TakeoffRequest,
  performance: TakeoffPerformanceAnswer,
  { points, words }: TakeoffDrawingFacts,
  convert: Converter,
): TakeoffColumnScene[] => {
  const { full, reduced } = performance;
  if (!full) return [];
  const isDry = request.runwayCondition.state === 'DRY';
  const column = (
    title: string,
    detail: string,
    of: TakeoffColumnAnswer,
    at: TakeoffPoints | null,
  ): TakeoffColumnScene => ({
    title,
    detail,
    isUsed: of === flownColumn(performance),
    speeds: [
      { name: 'V1', value: of.v1 },
      { name: 'VR', value: of.vR },
      { name: 'V2', value: of.v2 },
    ],
    range:
      of.v1Min === null || of.v1Max === null
        ? 'no speeds: the weight is above its limit'
        : `V1 possible from ${of.v1Min} to ${of.v1Max}`,
    rows: rowsOf(of, at, performance, isDry, convert),
  });
  const none = { detail: 'thrust is not reduced here', isUsed: false, range: '', rows: [] };
  const dashes = (['V1', 'VR', 'V2'] as const).map((name) => ({ name, value: null }));
  return [
    column('Full thrust', words.fullRating, full, points.full),
    reduced
      ? column(
          `Reduced, ${reduced.assumedTemperature} °C`,
          `${reduced.thrustReduction} % less thrust`,
          reduced,
          points.reduced,
        )
      : { title: 'Reduced thrust', speeds: dashes, ...none },
  ];
};

/** The drawing of a stored takeoff, from request, answer and facts; null without a result. Nothing is recalculated. */
export const takeoffScene = (
  request: TakeoffRequest,
  answer: TakeoffAnswer,
  facts: TakeoffDrawingFacts,
): TakeoffScene | null => {
  const { performance } = answer;
  if (!performance) return null;
  const convert = converter(request.units);
  const { startM, displacedM, lengthM, closed, variant } = facts;
  const [toraM, todaM, asdaM] = [performance.tora, performance.toda, performance.asda].map((length) =>
    convert.fromDistance(length),
  ) as [number, number, number];
  const [ident = '', named] = performance.runwayIdent.split('.')[0]?.split('/') ?? [];
  const intersection =
    typeof request.intersection === 'string'
      ? request.intersection
      : request.intersection === null
        ? null
        : 'an intersection';
  return {
    title: `${request.airport} ${performance.runwayIdent} · ${variant} · Flaps ${performance.flap}`,
    facts: takeoffFactsOf(request, performance, facts),
    unit: convert.distanceUnit,
    runway: {
      ident,
      intersection: named ?? intersection,
      beforeM: startM,
      thresholdM: displacedM > 0 ? displacedM - startM : null,
      closed: closed.map(({ fromM, toM }) => ({ fromM: fromM - startM, toM: toM - startM })),
      toraM,
      todaM,
      asdaM,
      pavementEndM: Math.max(lengthM - startM, toraM, asdaM),
    },
    columns: columnsOf(request, performance, facts, convert),
    cautions: answer.caution.map(separatedFigures),
    notes: notesOf(performance.accuracy, answer.dataQuality, 'limit weights'),
  };
};

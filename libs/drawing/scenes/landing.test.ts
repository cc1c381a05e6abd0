import { describe, expect, test } from 'vitest';
import { profile as standardProfile } from '#perf/fixtures/aircraft.ts';
import { aircraft, casesOf, perform, runwayFacts, unitSets } from '#perf/fixtures/landings.ts';
import type { Case } from '#perf/fixtures/landings.ts';
import { landingSvg } from '../svg/svg.ts';
import { drawingFacts, landingScenes } from './landing.ts';
import type { Converter } from '#perf/wire/units.ts';
import { converter } from '#perf/wire/units.ts';
import { isDeep } from '#test/support/deep.ts';

const pavement = { displacedM: 150, lengthM: 3400, closed: [] };

/** A row as read from the database. */
const stored = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

const more: Case[] = [
  {
    name: 'in flight, wind, depth and a chosen mode',
    data: {
      landingMode: 'inflight',
      runwayCondition: { state: 'WET', depth: 2 },
      weather: { windDirection: 40, windSpeed: 9 },
    },
  },
  { name: 'dispatch, NOTAM', data: { notam: { shortenStart: 120, shortenEnd: 80 } } },
];

type Performed = ReturnType<typeof perform>;

/** Contents of a drawing of the engine's result, with lengths rounded to the safe side as in the answer. */
const barsOf = ({ request, result, outcome }: Performed, ldaM: number, convert: Converter) => {
  const up = (m: number) => convert.fromDistance(convert.distanceUp(m));
  const down = (m: number) => convert.fromDistance(convert.distanceDown(m));
  const lda = convert.availableDown(ldaM);
  const margin = (m: number) => convert.fromDistance(lda - convert.distanceUp(m));
  if (!outcome.ok) throw new Error('no result');
  const shared = { ldaM: convert.fromDistance(lda) };
  if (result.mode === 'dispatch') {
    const { actualM, factoredM, airDistanceM, exits } = result;
    const requiredM = Math.min(result.requiredM, convert.fromDistance(lda));
    const rows = [
      { label: 'ACTUAL', solidM: up(actualM), tailM: null, marginM: margin(actualM), isChosen: false },
      {
        label: 'FACTORED',
        solidM: up(actualM),
        tailM: up(factoredM),
        marginM: margin(factoredM),
        isChosen: false,
      },
      {
        label: 'REQUIRED',
        solidM: up(actualM),
        tailM: up(requiredM),
        marginM: margin(requiredM),
        isChosen: false,
      },
    ];
    const scene = {
      ...shared,
      rows,
      touchdownM: Math.round(airDistanceM),
      exits: exits.map((exit) => ({
        name: exit.name,
        distanceM: Math.round(exit.distanceM),
        isHighSpeed: exit.speedKt > 40,
      })),
    };
    return { dispatch: scene, factored: scene, unfactored: scene };
  }
  const rowsOf = (withTail: boolean) =>
    result.modes.map((mode) => ({
      label: mode.label,
      solidM: up(mode.actualM),
      tailM:
        withTail && convert.distanceUp(mode.factoredM) > convert.distanceUp(mode.actualM)
          ? up(mode.factoredM)
          : null,
      marginM: margin(withTail ? mode.factoredM : mode.actualM),
      isChosen: mode.autobrake === request.configuration.autobrake,
    }));
  const scene = {
    ...shared,
    touchdownM: up(result.modes[0]?.airDistanceM ?? Number.NaN),
    exits: result.exits.map((exit) => ({
      name: exit.name,
      distanceM: down(exit.distanceM),
      isHighSpeed: exit.speedKt > 40,
    })),
  };
  return { factored: { ...scene, rows: rowsOf(true) }, unfactored: { ...scene, rows: rowsOf(false) } };
};

describe.each(aircraft)('drawings of %s', (_, profile) => {
  // Each set of units with a third of the aircraft; all in a deep run.
  const nth = aircraft.findIndex(([id]) => id === profile.id) % unitSets.length;
  const sets = isDeep ? unitSets : unitSets.slice(nth, nth + 1);
  const runs = sets.flatMap(([set, kg]) =>
    [...casesOf(profile, kg), ...more].map((entry) => {
      const weight = { landingWeight: Math.floor((0.9 * profile.weight.mslw) / kg) };
      const autobrake = profile.autobrakes[0]?.value ?? null;
      const data = entry === more[0] ? { ...entry.data, weight, configuration: { autobrake } } : entry.data;
      return {
        name: entry.name,
        ldaM: entry.runway?.ldaM ?? runwayFacts.ldaM,
        ...perform(profile, set, { ...entry, data }),
      };
    }),
  );

  test('A stored calculation yields the same drawings as the engine’s result (M-2.9.x3, M-2.9.x4)', () => {
    for (const run of runs) {
      const { request, answer, outcome, name } = run;
      const facts = drawingFacts(profile, request, outcome, pavement);
      expect(facts !== null, name).toBe(request.landingMode === 'inflight' || profile.family === 'A');
      if (!facts) continue;
      const scenes = landingScenes(stored(request), stored(answer), stored(facts));
      expect(scenes, name).toEqual(landingScenes(request, answer, facts));
      const convert = converter(request.units);
      const notam = request.notam ?? { shortenStart: 0, shortenEnd: 0 };
      const shortenedM = convert.fromDistance(notam.shortenStart) + convert.fromDistance(notam.shortenEnd);
      const shown = Object.fromEntries(
        Object.entries(scenes).map(([key, scene]) => [
          key,
          {
            ldaM: scene?.runway.ldaM,
            rows: scene?.rows.map(({ verdict: _v, bandM: _b, ...row }) => row),
            touchdownM: scene?.touchdownM,
            exits: scene?.exits,
          },
        ]),
      );
      expect(shown, name).toEqual(barsOf(run, run.ldaM - shortenedM, convert));
      const chosen = scenes['factored']?.rows.filter((row) => row.isChosen) ?? [];
      expect(chosen.length, name).toBe(request.configuration.autobrake === null ? 0 : 1);
    }
  });

  test('Distances add up to the pavement, no placeholder remains, and every figure of the answer is in the SVG', () => {
    for (const { request, answer, p, outcome, name } of runs) {
      const facts = drawingFacts(profile, request, outcome, pavement);
      if (!facts) continue;
      const scene = landingScenes(request, answer, facts)['factored'];
      if (!scene) throw new Error(`${name}: no scene`);
      const { beforeM, closed, ldaM, beyondM } = scene.runway;
      expect(beforeM + ldaM + beyondM, name).toBeCloseTo(pavement.lengthM, 6);
      for (const { fromM, toM } of closed) {
        expect(fromM, name).toBeGreaterThanOrEqual(-beforeM);
        expect(toM, name).toBeLessThanOrEqual(ldaM + beyondM + 1e-6);
        expect(toM <= 0.5 || fromM >= ldaM - 0.5, name).toBe(true);
      }
      const words = profile.flaps.find((flap) => flap.code === p.flap)?.label;
      expect(scene.title, name).toBe(`EDDF 25R · ${profile.model.variant} · ${words}`);
      const svg = landingSvg(scene);
      expect(svg, name).not.toMatch(/undefined|NaN|Infinity|null|\[object/);
      const figures = p.autobrakeLandingDist?.map((row) => row.factoredDistance) ?? [
        p.requiredLandingDist ?? 0,
      ];
      for (const figure of figures) {
        expect(svg, name).toContain(`>${figure.toLocaleString('en-US')} ${scene.unit}</text>`);
      }
    }
  });

  test('The drawing states runway code, air, wind, failure, MEL and CDL items, and NOTAM', () => {
    for (const { request, answer, p, outcome, name } of runs) {
      const facts = drawingFacts(profile, request, outcome, pavement);
      if (!facts) continue;
      const scene = landingScenes(request, answer, facts)['factored'];
      const value = (of: string) => scene?.facts.find((entry) => entry.name === of)?.value ?? '';
      const { units, weather, inopItems, configuration, notam } = request;
      expect(value('Landing'), name).toContain(`${p.landingWeight.toLocaleString('en-US')} ${units.weight}`);
      expect(value('Runway'), name).toContain(`RWYCC ${p.rwycc}`);
      expect(value('Speeds'), name).toContain(`VAPP ${p.vApp} kt`);
      expect(value('Air'), name).toMatch(/^−?[\d.]+ °C, QNH [\d.]+ (hPa|inHg)$/);
      expect(value('Air'), name).toContain(String(Math.abs(weather.temperature)));
      expect(value('Wind'), name).toMatch(/(headwind|tailwind) [\d.]+, crosswind [\d.]+ (kt|m\/s)$/);
      for (const code of inopItems.mel) expect(value('MEL'), name).toContain(code);
      for (const code of inopItems.cdl) expect(value('CDL'), name).toContain(code);
      const failure = profile.nonNormal.find((entry) => entry.value === configuration.nonNormalCondition);
      expect(value('Failure'), name).toBe(failure?.label ?? '');
      expect(value('NOTAM').includes('closed at the start'), name).toBe((notam?.shortenStart ?? 0) > 0);
      expect(value('Systems'), name).toContain('reversers');
    }
  });

  test('Marks show verdicts, bands show accuracy, and answers without them can be drawn', () => {
    for (const { request, answer, p, outcome, name } of runs) {
      const facts = drawingFacts(profile, request, outcome, pavement);
      const scenes = facts ? landingScenes(request, answer, facts) : {};
      const rows = p.autobrakeLandingDist ?? [];
      const signs = (scenes['factored']?.rows ?? []).slice(0, rows.length).map((row) => row.verdict);
      const small = (i: number) => (signs[i] === 'SMALL_MARGIN' ? 'FITS' : signs[i]);
      expect(
        rows.map((_row, i) => small(i)),
        name,
      ).toEqual(rows.map((row) => row.verdict));
      for (const [key, scene] of Object.entries(scenes)) {
        for (const row of scene?.rows ?? []) {
          const drawnM = row.tailM ?? row.solidM;
          expect(row.bandM?.[0], `${name} ${key}`).toBeLessThan(drawnM);
          expect(row.bandM?.[1], `${name} ${key}`).toBeGreaterThan(drawnM);
        }
      }
      if (!facts) continue;
      const old = stored(answer);
      const added = ['rwycc', 'windComponents', 'accuracy', 'actualAccuracy', 'autobrakeNotPossible'];
      for (const key of added) Reflect.deleteProperty(old.performance ?? {}, key);
      for (const row of old.performance?.autobrakeLandingDist ?? []) {
        for (const key of ['verdict', 'margin', 'accuracy']) Reflect.deleteProperty(row, key);
      }
      for (const scene of Object.values(landingScenes(request, old, facts))) {
        const svg = landingSvg(scene ?? ({} as never));
        expect(svg, name).not.toMatch(/undefined|NaN|Infinity|null|\[object/);
      }
    }
  });
});

test('A drawing shows the registration of its profile', () => {
  const [, standard] = aircraft[0] ?? [];
  const first = standard && casesOf(standard, 1).find(({ data }) => data['landingMode'] === 'inflight');
  if (!standard || !first) throw new Error('no aircraft');
  const own = { ...standard, profile: { ...standard.profile, userRegistration: 'D-AIZA' } };
  const { request, answer, outcome } = perform(own, {}, first);
  const facts = drawingFacts(own, request, outcome, pavement);
  const scenes = Object.values(facts ? landingScenes(request, answer, facts) : {});
  expect(scenes.length).toBeGreaterThan(0);
  for (const scene of scenes) expect(scene?.title).toContain(` D-AIZA ${standard.model.variant} `);
});

test('The runway shows only its designator, and every selected system is named', () => {
  const standard = standardProfile('A320-251N');
  const inflight = {
    name: 'with a NOTAM',
    data: { landingMode: 'inflight', weight: { landingWeight: 60_000 } },
  };
  const { request, answer, outcome } = perform(standard, {}, { ...inflight, runway: { ident: '25R.N12' } });
  const facts = drawingFacts(standard, request, outcome, { ...pavement, closed: [{ fromM: 0, toM: 150 }] });
  const scene = facts && landingScenes(request, answer, facts)['factored'];
  if (!scene) throw new Error('no drawing');
  expect(landingSvg(scene)).toMatch(/class="s22 b ident"[^>]*>25R</);
  expect(scene.title).toContain('EDDF 25R.N12 ');
  expect(scene.facts.find(({ name }) => name === 'Systems')?.value).not.toMatch(/: *(?:·|$)/);
});

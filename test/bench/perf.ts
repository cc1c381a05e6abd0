import { loadProfiles } from '#data/aircraft/profiles.ts';
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { groundRoll } from '#perf/kernel/ground-roll.ts';
import { assess } from '#perf/landing/assess.ts';
import { calculateLanding } from '#perf/landing/calculate.ts';
import { checkProfile } from '#perf/check/profile.ts';
import { rollOf } from '#perf/landing/distance.ts';
import { plainScene } from '#perf/landing/scene.ts';
import { limitsOf } from '#perf/landing/limits.ts';
import { prepare } from '#perf/landing/prepare.ts';
import { flapOf, manualMode } from '#perf/landing/profile-lookup.ts';
import type { LandingCase } from '#perf/landing/types.ts';
import { calculateTakeoff } from '#perf/takeoff/calculate.ts';
import type { TakeoffCase } from '#perf/takeoff/types.ts';

const samples = 60;
const perSample = 40;

/** Median time of one call in ms: batches, so that the clock resolution does not matter. */
const median = (work: (i: number) => unknown): number => {
  for (let i = 0; i < 400; i += 1) work(i);
  const times: number[] = [];
  for (let s = 0; s < samples; s += 1) {
    const start = performance.now();
    for (let i = 0; i < perSample; i += 1) work(s * perSample + i);
    times.push((performance.now() - start) / perSample);
  }
  return times.toSorted((a, b) => a - b)[samples / 2] ?? Number.NaN;
};

const eightExits = Array.from({ length: 8 }, (_, i) => ({
  name: `E${i}`,
  distanceM: 700 + 300 * i,
  speedKt: i % 2 ? 60 : 15,
}));

/** A case that changes from call to call, so that nothing can be cached. */
const landing = (
  profile: AircraftProfile,
  mode: 'dispatch' | 'inflight',
  i: number,
  rest: Partial<LandingCase['configuration']> = {},
): LandingCase => ({
  mode,
  runway: {
    ldaM: 1900 + (i % 900),
    elevationM: (i * 37) % 1500,
    slope: ((i % 5) - 2) / 400,
    exits: mode === 'inflight' ? eightExits : [],
  },
  weather: { headwindMps: (i % 15) - 5, temperatureK: 278 + (i % 20), qnhPa: 100_500 + (i % 1500) },
  condition: { rwycc: ([6, 5, 4, 3, 2, 1] as const)[i % 6] ?? 6 },
  configuration: {
    flap: profile.family === 'A' && mode === 'dispatch' ? 'OPTIMUM' : profile.landing.vrefFlapRef,
    autobrake: 'ALL',
    vrefAdditiveKt: 5,
    autoland: false,
    autothrust: false,
    missedApproachGradient: 0.025,
    nonNormal: [],
    mel: [],
    cdl: [],
    ...rest,
  },
  massKg: profile.weight.mslw * (0.85 + 0.001 * (i % 150)),
});

/** Likewise; `assumedTemperature` none: without the search for it. */
const takeoff = (
  profile: AircraftProfile,
  flap: string,
  i: number,
  rest: Partial<TakeoffCase['configuration']> = {},
): TakeoffCase => {
  const metres = 2_400 + (i % 900);
  return {
    runway: {
      toraM: metres,
      todaM: metres,
      asdaM: metres,
      elevationM: (i * 37) % 900,
      slope: ((i % 5) - 2) / 400,
    },
    weather: { temperatureK: 278 + (i % 20), qnhPa: 100_500 + (i % 1500), headwindKt: (i % 15) - 5 },
    condition: { state: ['DRY', 'WET'][i % 2] ?? 'DRY', depthM: 0 },
    configuration: { flap, packsOff: false, antiIce: 'OFF', fullThrust: false, ...rest },
    obstacles: [],
    massKg: profile.weight.mstow * (0.75 + 0.001 * (i % 100)),
  };
};

const us = (ms: number): string => `${(1000 * ms).toFixed(1)} us`;

/** Prints medians of the landing engine on one core. */
export const run = async (): Promise<void> => {
  const profiles = await loadProfiles(checkProfile);
  for (const id of ['A320-251N', '737-800-7B26']) {
    const profile = profiles.get(id);
    if (!profile) throw new Error(`no profile ${id}`);
    const dispatch = median((i) => calculateLanding(profile, landing(profile, 'dispatch', i)));
    const inflight = median((i) => calculateLanding(profile, landing(profile, 'inflight', i)));
    const manual = manualMode(profile);
    const one = median((i) =>
      calculateLanding(profile, landing(profile, 'inflight', i, { autobrake: manual.value })),
    );
    const scene = plainScene(profile, flapOf(profile, profile.landing.vrefFlapRef), 5);
    const roll = median((i) => groundRoll(rollOf(scene, 55_000 + i, 66, manual)));
    const prepared = prepare(profile, landing(profile, 'inflight', 1));
    const limits = median((i) =>
      limitsOf(profile, landing(profile, 'inflight', i), prepared, scene.flap, null),
    );
    const assessed = median((i) => assess(profile, landing(profile, 'inflight', i)));
    const flap = profile.takeoff.flaps[1] ?? '';
    const single = median((i) =>
      calculateTakeoff(profile, takeoff(profile, flap, i, { assumedTemperature: 'NONE' })),
    );
    const flexed = median((i) => calculateTakeoff(profile, takeoff(profile, 'OPTIMUM', i)));
    console.log(
      `${id}: takeoff, limits, speeds and distances ${us(single)} (bar 3000 us), ${(single / dispatch).toFixed(1)} times a dispatch`,
    );
    console.log(`${id}: takeoff with the best flap and assumed temperature ${us(flexed)} (bar 15000 us)`);
    const more = (inflight - one) / (profile.autobrakes.length - 1);
    console.log(`${id}: full dispatch ${us(dispatch)} (bar 300 us)`);
    console.log(
      `${id}: in flight, ${profile.autobrakes.length} brake modes, cooling, ${eightExits.length} exits ${us(inflight)} (bar 150 us)`,
    );
    console.log(
      `${id}: arrival assessment, six codes and five changes of ${profile.autobrakes.length} modes ${us(assessed)} (bar 2000 us)`,
    );
    console.log(`${id}: ${Math.round(1000 / roll)} ground rolls per second (bar 100000)`);
    console.log(`${id}: one more brake mode ${us(more)}; one more weight limit ${us(limits / 3)}`);
  }
};

import { describe, expect, test } from 'vitest';
import { LandingRequest } from '#domain/performance/request.ts';
import { LandingAnswer } from '#domain/performance/result.ts';
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { loadProfiles } from '#data/aircraft/profiles.ts';
import { checkProfile } from '../landing/check.ts';
import { performLanding } from './landing.ts';
import type { Entitlements, LandingPerformed, RunwayFacts } from './types.ts';

const profiles = await loadProfiles(checkProfile);
const ALL: Entitlements = { nnc: true, mel: true, cdl: true, notam: true, balkedLanding: true };
const RUNWAY: RunwayFacts = {
  ident: '07L',
  ldaM: 2800,
  lengthM: 2800,
  elevationFt: 100,
  slopePercent: 0.2,
  trueBearingDeg: 70,
  widthM: 45,
  exits: [{ name: 'B4', distanceM: 1900, angleDeg: 30 }],
  goAroundAltitudeFt: 3000,
  standardEfp: true,
  efpText: null,
};

function profile(id: string): AircraftProfile {
  const found = profiles.get(id);
  if (!found) throw new Error(`no profile ${id}`);
  return found;
}

function run(
  id: string,
  data: Record<string, unknown>,
  runway: Partial<RunwayFacts> = {},
  entitlements = ALL,
): LandingPerformed {
  const request = LandingRequest.parse({
    requestType: 'LANDING',
    aircraft: { file: id },
    airport: 'egll',
    runway: '07L',
    ...data,
  });
  return performLanding({ request, profile: profile(id), runway: { ...RUNWAY, ...runway }, entitlements });
}

function answered(
  id: string,
  data: Record<string, unknown>,
  runway: Partial<RunwayFacts> = {},
  entitlements = ALL,
) {
  const out = run(id, data, runway, entitlements);
  if (out.kind !== 'answer' || !out.answer.performance) throw new Error(JSON.stringify(out));
  LandingAnswer.parse(out.answer);
  return { answer: out.answer, performance: out.answer.performance };
}

describe('both families answer in both modes', () => {
  test.each(['A320-251N', '737-800-7B26'])('%s', (id) => {
    const { performance: d } = answered(id, {});
    expect(d.landingWeight).toBeGreaterThan(50_000);
    const { performance: i } = answered(id, { landingMode: 'inflight', weight: { landingWeight: 60_000 } });
    expect(i.autobrakeLandingDist?.length).toBeGreaterThan(2);
    expect(i.runwayExits?.[0]?.name).toBe('B4');
  });
});

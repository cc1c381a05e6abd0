/** Asks every operation that answers or calculates takeoff and landing about the same flight plan. */
import { expect } from 'vitest';
import { briefingDocument } from '../../apps/api/queries/ofp/common/print-briefing.ts';
import { presetOf } from '#domain/users/units.ts';
import type { TestApi, TestUser } from '../api.ts';

type Fields = Record<string, unknown>;

export interface Defaults extends Fields {
  aircraft: Fields | null;
  configuration: Fields;
  sources: Record<string, { source: string; text: string } | undefined>;
}

export interface Calculated {
  calculationPossible: boolean;
  cautions: { code: string; severity: string; text: string }[];
  performance: Fields & { verdict: string };
}

export interface PlanEverywhere {
  ofp: Fields & {
    ownerProfile: Fields | null;
    performanceDefaults: { landing: Defaults; takeoff: Defaults };
  };
  landing: Calculated;
  takeoff: Calculated;
  /** Table rows of the planned runways. */
  table: { landing: Fields; takeoff: Fields };
  /** Printed facts of takeoff and landing, by name. */
  printed: { takeoff: Fields; landing: Fields };
}

/** Fields shared by a table row and the answer for its runway alone. */
const rowOf = {
  landing: (performance: { verdict: string; autobrakeLandingDist: { factoredDistance: number }[] }) => ({
    verdict: performance.verdict,
    distance: Math.min(...performance.autobrakeLandingDist.map((mode) => mode.factoredDistance)),
  }),
  takeoff: ({ verdict, v1, flap, maxTakeoffWeight }: Fields) => ({ verdict, v1, flap, maxTakeoffWeight }),
};

/** Asserts that all of them agree, and returns the answer. The user needs EFB Commercial or more. */
export const askEverywhere = async (
  api: TestApi,
  devKey: string,
  { token }: TestUser,
  ofpId: string,
): Promise<PlanEverywhere> => {
  const call = async (query: string, data: Fields): Promise<Fields> => {
    const { status, body } = await api.call(query, { token, devKey, data });
    expect([query, status, body['error']]).toEqual([query, 200, undefined]);
    return body;
  };
  const ofp = (await call('ofpGet', { ofpId, view: 'summary' }))['ofp'] as PlanEverywhere['ofp'];
  const brief = await call('briefing', { ofpId });
  expect(brief['ofp']).toEqual(ofp);
  const defaults = ofp.performanceDefaults;
  const answers: Fields = {};
  const table: Fields = {};
  for (const use of ['landing', 'takeoff'] as const) {
    const alone = await call('performance', defaults[use]);
    const { answer } = brief[use] as { answer: Fields };
    const facts = ({ cautions, performance }: Fields) => [
      cautions,
      { ...(performance as Fields), graphic: null },
    ];
    expect(facts(answer)).toEqual(facts(alone));
    const kept = await call('performanceGet', { calculationId: alone['calculationId'] });
    expect(facts(await call('performance', kept['request'] as Fields))).toEqual(facts(alone));
    const { requestType: _, landingMode: __, runway, configuration, ...shared } = defaults[use];
    const asked = { ...shared, configuration: { [use]: configuration } };
    const rows = (await call('performanceAirport', asked))[use] as Fields[];
    answers[use] = alone;
    table[use] = rows.find((row) => row['runway'] === runway);
    expect(table[use]).toMatchObject(rowOf[use](alone['performance'] as never));
  }
  const document = briefingDocument(brief as never, presetOf('METRIC'), api.context.clock.now());
  const [takeoff, landing] = document.performance.map(({ facts }) =>
    Object.fromEntries(facts.map(({ name, value }) => [name, value])),
  );
  return { ofp, ...answers, table, printed: { takeoff, landing } } as unknown as PlanEverywhere;
};

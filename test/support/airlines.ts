/**
 * An airline with its people, made with the operator's command line:
 *
 *   const { admin, full, member } = await airline(api, 'Alpha Air');
 */
import type { TestApi, TestUser } from '../api.ts';
import { ops } from './ops.ts';

export interface AirlinePeople {
  /** VA_ONLY admin of this airline, and so a member. */
  admin: TestUser;
  /** FULL admin, member of no airline. */
  full: TestUser;
  member: TestUser;
}

const done = async (api: TestApi, line: string, ...more: string[]): Promise<void> => {
  const { status, err } = await ops(api.context, line, ...more);
  if (status !== 0) throw new Error(`ops ${line}: ${err}`);
};

export const join = (api: TestApi, { email }: TestUser, va: string): Promise<void> =>
  done(api, `va member add --email ${email} --va`, va);

export const airline = async (api: TestApi, name: string): Promise<AirlinePeople> => {
  await done(api, 'va create --name', name);
  const people = { admin: await api.user(), full: await api.user(), member: await api.user() };
  await done(api, `va admin add --scope VA_ONLY --email ${people.admin.email} --va`, name);
  await done(api, `va admin add --scope FULL --email ${people.full.email}`);
  await join(api, people.member, name);
  return people;
};

/** A VA_ONLY admin of a deleted airline. */
export const adminWithoutAirline = async (api: TestApi): Promise<TestUser> => {
  const user = await api.user();
  await done(api, 'va create --name', 'Gone Air');
  await done(api, `va admin add --scope VA_ONLY --email ${user.email} --va`, 'Gone Air');
  await done(api, 'va delete --va', 'Gone Air');
  return user;
};

interface Refused {
  what: string;
  user: TestUser;
  data: Record<string, unknown>;
  refusal: readonly [number, string];
}

/** Every call that the admin gate refuses (M-2.4.3), for an airline and another one. */
export const gateRefusals = async (
  api: TestApi,
  { admin, full, member }: AirlinePeople,
  va: string,
  otherVa: string,
): Promise<Refused[]> => {
  const suspended = await api.user();
  await done(api, `va admin add --scope VA_ONLY --email ${suspended.email} --va`, va);
  await done(api, `va admin deactivate --email ${suspended.email}`);
  const forbidden = [403, 'FORBIDDEN'] as const;
  const isVA = true;
  return [
    { what: 'member', user: member, data: { isVA }, refusal: forbidden },
    { what: 'member with name', user: member, data: { isVA, vaName: va }, refusal: forbidden },
    { what: 'suspended admin', user: suspended, data: { isVA }, refusal: forbidden },
    { what: 'admin of another', user: admin, data: { isVA, vaName: otherVa }, refusal: forbidden },
    { what: 'no name', user: full, data: { isVA }, refusal: [400, 'MISSING_VA_NAME'] },
    { what: 'unknown', user: full, data: { isVA, vaName: 'No such' }, refusal: [404, 'NOT_FOUND'] },
    {
      what: 'no airline',
      user: await adminWithoutAirline(api),
      data: { isVA },
      refusal: [403, 'NO_VA_ASSIGNED'],
    },
  ];
};

/** Checklist documents and stored checklists for tests. */
import type { Answer, TestApi, TestUser } from '../api.ts';
import { at } from './answers.ts';

type Fields = Record<string, unknown>;

export const itemOf = (fields: Fields = {}): Fields => ({
  challenge: 'Beacon',
  order: 1,
  response: 'On',
  isLine: false,
  selfDetected: true,
  note: null,
  ...fields,
});

export const pageOf = (fields: Fields = {}): Fields => ({
  title: 'Before start',
  order: 1,
  items: [itemOf()],
  ...fields,
});

export const documentOf = (fields: Fields = {}): Fields => ({
  name: 'Test',
  version: '2.1',
  checklists: [pageOf()],
  ...fields,
});

export const saveChecklist = (api: TestApi, { token }: TestUser, fields: Fields = {}): Promise<Answer> =>
  api.call('checklistSave', { token, data: { name: 'Mine', checklist: documentOf(), ...fields } });

/** Creates a checklist and returns its id. */
export const newChecklist = async (api: TestApi, user: TestUser, fields: Fields = {}): Promise<string> => {
  const answer = await saveChecklist(api, user, fields);
  if (answer.status !== 200) throw new Error(`checklistSave answered ${JSON.stringify(answer.body)}`);
  return String(at(answer, 'data', 'checklistId'));
};

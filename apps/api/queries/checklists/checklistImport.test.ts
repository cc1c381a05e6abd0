import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { adminWithoutAirline, airline } from '#test/support/airlines.ts';
import { at, refusal } from '#test/support/answers.ts';
import { documentOf, itemOf, pageOf } from '#test/support/checklists.ts';
import { runSql } from '#test/support/sql.ts';

let api: TestApi;
let pilot: TestUser;
beforeAll(async () => {
  api = await testApi();
  pilot = await api.user();
});
afterAll(() => api.close());

const call = (query: string, data: Record<string, unknown>, { token } = pilot) =>
  api.call(query, { token, data });
const countOf = async (user: TestUser): Promise<number> =>
  (at(await call('checklistList', {}, user), 'data', 'userChecklists') as unknown[]).length;

test('Every problem of a file is reported with its line, up to 100, and nothing is saved', async () => {
  const problemsOf = async (format: string, content: string): Promise<unknown[]> => {
    const answer = await call('checklistImport', { format, content });
    expect(refusal(answer)).toEqual([400, 'INVALID_CHECKLIST_FILE']);
    return at(answer, 'problems') as unknown[];
  };
  const problem = (line: number | null, place: string | null, message: unknown) => ({ line, place, message });
  const head = 'page,challenge,response,line,note\n';
  const long = 'x'.repeat(501);
  expect(await problemsOf('CSV', `${head}A,Beacon,On,perhaps\n\nA,${long},On,,"two\nlines",six\n`)).toEqual([
    problem(2, 'line', 'must be yes or no'),
    problem(5, null, 'has 6 cells under 5 columns'),
    problem(5, 'challenge', 'is longer than 500 characters'),
  ]);
  const columns = 'the columns are page, challenge, response, line, selfDetected, note';
  expect(await problemsOf('CSV', 'page,item,response,page\nA,B,C,D\n')).toEqual([
    problem(1, 'item', `is not a column; ${columns}`),
    problem(1, 'page', 'is there twice'),
    problem(1, 'challenge', `is missing in the first line; ${columns}`),
  ]);
  expect(await problemsOf('CSV', `${head}A,Beacon,"On\n`)).toEqual([
    problem(2, null, 'a quoted cell does not end'),
  ]);
  expect(await problemsOf('CSV', `${head}A,Bea"con,On\n`)).toEqual([
    problem(2, null, 'a quote is within a cell that is not quoted; write it as ""'),
  ]);
  expect(JSON.stringify(await problemsOf('CSV', 'Before start,Beacon,ON'))).toContain(
    'is missing in the first line; the columns are ',
  );
  expect(await problemsOf('CSV', head)).toEqual([problem(null, null, expect.stringContaining('no rows'))]);
  expect(await problemsOf('CSV', `${head}${'A,B,C,no\n'.repeat(501)}`)).toEqual([
    problem(502, 'page', 'has more than 500 items'),
  ]);
  expect(
    await problemsOf('CSV', `${head}${Array.from({ length: 101 }, (_, i) => `P${i},B,C\n`).join('')}`),
  ).toEqual([problem(102, 'page', 'is one more than the 100 pages that a checklist may have')]);
  expect(await problemsOf('CSV', `${head}${'A,B,C,maybe\n'.repeat(300)}`)).toHaveLength(100);
  expect(await problemsOf('CSV', `${head}${'A,B,C\n'.repeat(20_000)}`)).toEqual([
    problem(6_554, null, 'the file has more rows than a checklist has room for'),
  ]);
  expect(await problemsOf('CSV', `${head}A${','.repeat(500_000)}`)).toEqual([
    problem(2, null, 'has more than 50 cells'),
  ]);
  expect(await problemsOf('CSV', `${head}A,"${'""'.repeat(500_000)}`)).toEqual([
    problem(2, null, expect.stringContaining('the row has more than 20000 characters')),
  ]);
  expect(await problemsOf('JSON', '{\n  "checklists": [,]\n}')).toEqual([
    problem(2, null, expect.stringMatching(/^is not JSON: /)),
  ]);
  const nul = JSON.stringify(documentOf({ checklists: [pageOf({ title: 'a\0' })] }));
  expect(await problemsOf('JSON', nul)).toEqual([
    problem(null, 'checklists.0.title', 'contains the NUL character, which cannot be stored'),
  ]);
  const deep = await call('checklistImport', { format: 'JSON', content: '['.repeat(500_000) });
  expect(refusal(deep)).toEqual([400, 'JSON_TOO_DEEP']);
  expect(await problemsOf('JSON', '7')).toEqual([problem(null, null, 'must be an object')]);
  expect(await problemsOf('JSON', '{"format": "other", "checklist": {}}')).toEqual([
    problem(null, 'format', expect.stringContaining('efb-checklist')),
    problem(null, 'formatVersion', expect.stringContaining('efb-checklist')),
  ]);
  const broken = documentOf({
    checklists: [pageOf({ items: [itemOf({ isLine: 'x' })] }), pageOf({ title: 4 })],
  });
  expect(await problemsOf('JSON', JSON.stringify(broken))).toEqual([
    problem(null, 'checklists.0.items.0.isLine', 'must be true or false'),
    problem(null, 'checklists.1.title', 'must be a string'),
  ]);
  for (const [data, status, code] of [
    [{}, 400, 'MISSING_FIELD'],
    [{ content: 'é'.repeat(600_000) }, 413, 'CHECKLIST_FILE_TOO_LARGE'],
    [{ content: 'x'.repeat(1_048_577) }, 413, 'CHECKLIST_FILE_TOO_LARGE'],
    [{ content: 'x', format: 'PDF' }, 400, 'INVALID_FIELD'],
    [{ content: 'x', name: long }, 400, 'INVALID_NAME'],
    [{ content: 'page,challenge,response,line\nA,B,C,no\n', name: 'A\u202eB' }, 400, 'INVALID_NAME'],
    [{ content: 'x', version: long }, 400, 'INVALID_VERSION'],
    [{ content: 'x', isVA: true }, 403, 'FORBIDDEN'],
  ] as const)
    expect(refusal(await call('checklistImport', { format: 'CSV', ...data }))).toEqual([status, code]);
  const stranger = await api.user();
  expect(at(await call('checklistList', {}, stranger), 'data', 'userChecklists')).toEqual([]);
});

test('A file becomes a checklist of the account, or of an airline administered by the caller, while there is room', async () => {
  const content = JSON.stringify(documentOf());
  const file = { format: 'JSON', content };
  expect((await call('checklistImport', file)).status).toBe(200);
  const { full } = await airline(api, 'Import Air');
  const ofAirline = (fields: object) => call('checklistImport', { ...file, isVA: true, ...fields }, full);
  expect((await ofAirline({ vaName: 'Import Air' })).status).toBe(200);
  expect(refusal(await ofAirline({}))).toEqual([400, 'MISSING_VA_NAME']);
  expect(refusal(await ofAirline({ vaName: 'No such' }))).toEqual([404, 'NOT_FOUND']);
  const alone = await adminWithoutAirline(api);
  const refused = await call('checklistImport', { ...file, isVA: true }, alone);
  expect(refusal(refused)).toEqual([403, 'NO_VA_ASSIGNED']);

  const run = runSql(api.context.postgres);
  const before = await countOf(pilot);
  await run`UPDATE product SET storage_quota_mb = 0`;
  expect(refusal(await call('checklistImport', file))).toEqual([413, 'STORAGE_QUOTA_EXCEEDED']);
  await run`UPDATE product SET storage_quota_mb = 250, max_checklists = ${before}`;
  expect(refusal(await call('checklistImport', file))).toEqual([409, 'CHECKLISTS_FULL']);
  await run`UPDATE product SET max_checklists = 100`;
  await run`ALTER TABLE checklist ADD CONSTRAINT broken CHECK (name <> 'Broken')`;
  expect(refusal(await call('checklistImport', { ...file, name: 'Broken' }))).toEqual([500, 'DB_ERROR']);
  await run`ALTER TABLE checklist DROP CONSTRAINT broken`;
  expect(await countOf(pilot)).toBe(before);
});

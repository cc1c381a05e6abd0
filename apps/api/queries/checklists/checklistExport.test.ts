/** Checklist files: exported, printed by a worker in this process, and imported again. */
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JobConsumer } from '#domain/jobs/port.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { at, refusal } from '#test/support/answers.ts';
import { documentOf, itemOf, newChecklist, pageOf } from '#test/support/checklists.ts';
import { pdfTexts } from '#test/support/pdf-text.ts';
import draw from '#workers/jobs/print-draw.ts';

let api: TestApi;
let pilot: TestUser;
let worker: JobConsumer;
beforeAll(async () => {
  api = await testApi();
  pilot = await api.user();
  worker = await api.context.queues.createConsumer();
  await worker.consume('durable', [draw.bind(api.context)], 1);
});
afterAll(async () => {
  await worker.stop(1_000);
  await api.close();
});

type Item = Record<string, unknown>;
const call = (query: string, data: Item, { token } = pilot) => api.call(query, { token, data });
const exported = async (checklistId: string, format: string): Promise<Item> =>
  at(await call('checklistExport', { checklistId, format }), 'data') as Item;
const imported = async (data: Item): Promise<Item> => {
  const answer = await call('checklistImport', data);
  expect(answer.body).toMatchObject({ success: true });
  return at(await call('checklistGet', { checklistId: at(answer, 'data', 'checklistId') }), 'data') as Item;
};

const checklist = documentOf({
  name: 'Zoë’s A320',
  colour: 'red',
  checklists: [
    pageOf({
      title: 'Before start; "cold"',
      items: [
        itemOf({ challenge: '=1+1', response: "'-", note: 'one\ntwo, three' }),
        itemOf({ order: 2, challenge: 'Doors', response: 'Closed', isLine: true, selfDetected: false }),
      ],
    }),
    pageOf({ title: 'Empty', order: 2, items: [] }),
  ],
});

test('A checklist is exported and imported whole as JSON, and as CSV with its pages, items and notes', async () => {
  const fields = { name: 'Zoë’s A320 / night', version: '2', description: 'Ours', aircraftTypes: ['A20N'] };
  const checklistId = await newChecklist(api, pilot, { ...fields, checklist });
  const json = await exported(checklistId, 'JSON');
  expect(json).toMatchObject({ fileName: 'Zoë_s_A320_night.json', mimeType: 'application/json', url: null });
  expect(await imported({ format: 'JSON', content: json['content'] })).toMatchObject({
    ...fields,
    checklist,
  });
  const { content, ...csv } = await exported(checklistId, 'CSV');
  expect(csv).toMatchObject({ fileName: 'Zoë_s_A320_night.csv', expiresAt: null });
  expect(String(content).split('\r\n')).toEqual([
    '\uFEFFpage,challenge,response,line,selfDetected,note',
    `"Before start; ""cold""",'=1+1,''-,no,yes,"one\ntwo, three"`,
    '"Before start; ""cold""",Doors,Closed,yes,no,',
    'Empty,,,,,',
    '',
  ]);
  const { checklists } = checklist;
  expect(await imported({ format: 'CSV', content, name: 'Again' })).toMatchObject({
    name: 'Again',
    version: '1.0',
    checklist: { name: 'Again', checklists },
  });
  // As saved by a spreadsheet in another country, with the columns in another order.
  const german = 'Response;CHALLENGE;Page\r\nOn;Beacon;Start\r\n;;\r\nClosed;Doors, all;Start\r\n';
  expect(await imported({ format: 'CSV', content: german })).toMatchObject({
    name: 'Imported checklist',
    checklist: {
      checklists: [{ title: 'Start', items: [{ challenge: 'Beacon' }, { challenge: 'Doors, all' }] }],
    },
  });
  // A bare document, and a built-in checklist.
  expect(await imported({ format: 'JSON', content: JSON.stringify(checklist) })).toMatchObject({ checklist });
  const builtIn = await exported('787', 'JSON');
  expect(await imported({ format: 'JSON', content: builtIn['content'] })).toMatchObject({
    name: '787',
    aircraftTypes: ['B788', 'B789', 'B78X'],
  });
});

test('The print has all pages in order on as many sheets as needed', async () => {
  const items = Array.from({ length: 150 }, (_, i) =>
    itemOf({
      order: 150 - i,
      challenge: `Item ${150 - i}`,
      response: 'Checked',
      note: i % 9 === 0 ? 'With a note.' : null,
      isLine: i % 25 === 0,
    }),
  );
  const pages = [pageOf({ title: 'Second', order: 2 }), pageOf({ title: 'First', order: 1, items })];
  const checklistId = await newChecklist(api, pilot, {
    name: 'Paper',
    checklist: documentOf({ checklists: pages }),
  });
  const { url, expiresAt, content } = await exported(checklistId, 'PDF');
  expect([content, expiresAt]).toEqual([null, '2026-09-23T12:00:00.000Z']);
  const response = await api.fetch(new URL(String(url)).pathname);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  const bytes = Buffer.from(await response.arrayBuffer());
  const path = process.env['KEEP_PRINTS'];
  if (path !== undefined) await writeFile(path, bytes);
  const sheets = pdfTexts(bytes);
  expect(sheets.length).toBe(2);
  const text = sheets.flat().join(' ');
  const places = ['First', 'Item 1 ', 'Item 149', 'Item 150', 'Second', 'Beacon'].map((words) =>
    text.indexOf(words),
  );
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places[0]).toBeGreaterThan(-1);
  expect(text).toContain('Paper, version 1.0');
});

test('Text that cannot be printed is named on paper and in the answer', async () => {
  const texts = {
    Chinese: '检查 燃料',
    Japanese: 'ポンプ 入',
    Korean: '연료 펌프',
    Thai: 'ตรวจ',
    Hindi: 'ईंधन जाँच',
    Arabic: 'فحص الوقود',
    Hebrew: 'בדיקת דלק',
    Emoji: '🛬',
  };
  const items = [
    ...Object.entries(texts).map(([script, text], i) =>
      itemOf({
        order: i,
        challenge: `${script} ${text}: fuel`,
        response: i % 2 === 0 ? text : 'On',
        note: null,
      }),
    ),
    itemOf({ order: 20, challenge: 'Żółć Ğüneş Đặng Ψ Жук ՀԱՅ ≥ 5° → ✓ €', response: 'e\u0301' }),
  ];
  const checklistId = await newChecklist(api, pilot, {
    name: '機種 A320',
    checklist: documentOf({ checklists: [pageOf({ title: '시작', items })] }),
  });
  const { url, notPrinted } = await exported(checklistId, 'PDF');
  expect(notPrinted).toEqual([
    { page: null, item: null, field: 'name' },
    { page: 1, item: null, field: 'title' },
    ...Object.keys(texts).flatMap((_, i) => [
      { page: 1, item: i, field: 'challenge' },
      ...(i % 2 === 0 ? [{ page: 1, item: i, field: 'response' }] : []),
    ]),
  ]);
  const bytes = Buffer.from(await (await api.fetch(new URL(String(url)).pathname)).arrayBuffer());
  const paper = pdfTexts(bytes).flat().join(' ').replaceAll(/\s+/g, ' ');
  for (const script of Object.keys(texts)) expect(paper).toContain(`${script} [not printed]: fuel`);
  for (const word of ['[not printed] A320', 'Żółć', 'Đặng', 'ՀԱՅ', '✓ €', 'é']) expect(paper).toContain(word);
  expect(await exported(checklistId, 'JSON')).not.toHaveProperty('notPrinted');
  expect(await exported('787', 'PDF')).not.toHaveProperty('notPrinted');
});

test('Only checklists that the caller may read are exported', async () => {
  const mine = await newChecklist(api, await api.user());
  for (const [checklistId, refused] of [
    [mine, [403, 'FORBIDDEN']],
    ['00000000-0000-4000-8000-000000000000', [404, 'NOT_FOUND']],
    ['', [400, 'MISSING_CHECKLIST_ID']],
    ['what?', [400, 'INVALID_CHECKLIST_ID']],
  ] as const)
    expect(refusal(await call('checklistExport', { checklistId, format: 'CSV' }))).toEqual(refused);
  expect(refusal(await call('checklistExport', { checklistId: '787', format: 'DOC' }))).toEqual([
    400,
    'INVALID_FIELD',
  ]);
  for (const query of ['checklistExport', 'checklistImport'])
    expect(refusal(await api.call(query, { data: {} }))).toEqual([401, 'AUTH_REQUIRED']);
});

/** CSV as spreadsheets and old programs write it, whatever their country. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { at, refusal } from '#test/support/answers.ts';

let api: TestApi;
let pilot: TestUser;
beforeAll(async () => {
  api = await testApi();
  pilot = await api.user();
});
afterAll(() => api.close());

const imported = (content: string) =>
  api.call('checklistImport', { token: pilot.token, data: { format: 'CSV', content } });
const pagesOf = async (content: string): Promise<unknown> => {
  const answer = await imported(content);
  expect([content.slice(0, 200), refusal(answer), at(answer, 'problems')]).toEqual([
    content.slice(0, 200),
    [200, null],
    undefined,
  ]);
  const checklistId = at(answer, 'checklistId') ?? at(answer, 'data', 'checklistId');
  const found = await api.call('checklistGet', { token: pilot.token, data: { checklistId } });
  return at(found, 'data', 'checklist', 'checklists') ?? at(found, 'checklist', 'checklists');
};

const rows = [
  ['page', 'challenge', 'response', 'line', 'note'],
  ['Start', 'Beacon', 'On', 'yes', 'a note'],
  ['Start', 'Doors', 'Closed', 'no', ''],
];
const csv = (separator: string, lineEnd: string) =>
  rows.map((cells) => cells.join(separator)).join(lineEnd) + lineEnd;

test('A separator line, any line endings, blank lines before the header and an end-of-file mark are skipped', async () => {
  const expected = await pagesOf(csv(',', '\n'));
  expect(expected).toMatchObject([{ title: 'Start', items: [{ isLine: true }, { isLine: false }] }]);
  const files = [
    `sep=;\r\n${csv(';', '\r\n')}`,
    `\uFEFFsep=,\n${csv(',', '\n')}`,
    `"sep=|"\n${csv('|', '\n')}`,
    `SEP=\t\r\n${csv('\t', '\r\n')}`,
    csv(';', '\r'),
    `sep=;\r${csv(';', '\r')}`,
    `\r\n${csv(';', '\r\n')}`,
    `\n\n  \n${csv(',', '\n')}`,
    `;;;;\r\n${csv(';', '\r\n')}`,
    `"","",""\n${csv(',', '\n')}`,
    `${csv(',', '\r\n')}\u001A`,
    `${csv(';', '\r\n')}\u001A\r\n`,
    `\r\rsep=;\r${csv(';', '\r')}\u001A\u001A`,
  ];
  for (const file of files) expect([file, await pagesOf(file)]).toEqual([file, expected]);
});

test('Problems are reported at the spreadsheet’s line number, whatever the line endings', async () => {
  const problemsOf = async (content: string) => at(await imported(content), 'problems');
  const bad = ['page;challenge;response;line', 'A;B;C;yes', 'A;B;C;perhaps'];
  for (const end of ['\n', '\r\n', '\r']) {
    const problem = (line: number) => [{ line, place: 'line', message: 'must be yes or no' }];
    expect([end, await problemsOf(bad.join(end))]).toEqual([end, problem(3)]);
    expect([end, await problemsOf(['sep=;', ...bad].join(end))]).toEqual([end, problem(4)]);
    expect([end, await problemsOf(['', '', ...bad].join(end))]).toEqual([end, problem(5)]);
    expect(await problemsOf(['sep=;', 'page;item;response', 'A;B;C'].join(end))).toMatchObject([
      { line: 2, place: 'item' },
      { line: 2, place: 'challenge' },
    ]);
    expect(await problemsOf(['sep=;', ...bad, ';'.repeat(60)].join(end))).toMatchObject([{ line: 5 }]);
  }
});

test('Yes and no are read in the languages that spreadsheets write', async () => {
  const words: [string, string][] = [
    ['WAHR', 'FALSCH'],
    ['ja', 'nein'],
    ['VRAI', 'FAUX'],
    ['Oui', 'Non'],
    ['VERDADERO', 'FALSO'],
    ['Si\u0301', 'No'],
    ['sim', 'não'],
    ['VERO', 'FALSO'],
    ['WAAR', 'ONWAAR'],
    ['SANT', 'FALSKT'],
    ['Tak', 'Nie'],
    ['PRAVDA', 'NEPRAVDA'],
    ['igen', 'nem'],
    ['DOĞRU', 'YANLIŞ'],
    ['evet', 'HAYIR'],
    ['ИСТИНА', 'ЛОЖЬ'],
    ['Да', 'Нет'],
    ['ναι', 'όχι'],
    ['はい', 'いいえ'],
    ['是', '否'],
    ['예', '아니요'],
    ['نعم', 'لا'],
    ['כן', 'לא'],
    ['हाँ', 'नहीं'],
    ['✓', '✗'],
    ['x', '-'],
    ['TRUE', 'FALSE'],
    ['1', '0'],
    [' Y ', 'N'],
  ];
  const lines = words.flatMap((pair) => pair.map((word) => `P,A,B,${word}`)).join('\r\n');
  const items = words.flatMap(() => [{ isLine: true }, { isLine: false }]);
  expect(await pagesOf(`page,challenge,response,line\r\n${lines}\r\n`)).toMatchObject([{ items }]);
});

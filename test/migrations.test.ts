/**
 * New migrations may run on a large database in use, so none may hold a lock for as long as it takes to read
 * a table.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '../db/migrations');
/** Files before this one create the tables, when they are still empty. */
const firstChecked = '0196';

/** Tables that grow with the users; the others have at most some thousand rows. */
const large =
  'app_user|audit|calculation|checklist|checklist_rating|effect|file|flight_data|flight_data_change|gateway_event|gateway_order|graphic|ledger|library_file|library_view|notam|ofp|ofp_share|outgoing_mail|payment|request_log\\w*|subscription|subscription_history|va_member';

const rules: [RegExp, string][] = [
  [
    new RegExp(String.raw`\bCREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY\b)[^;]*? ON (?:${large})\b`, 'i'),
    'builds an index of a large table without CONCURRENTLY',
  ],
  [
    /\bCREATE (?:UNIQUE )?INDEX CONCURRENTLY (?:IF NOT EXISTS )?(\w+)\b(?<!\bDROP INDEX CONCURRENTLY IF EXISTS \1;[^]*)/i,
    'builds an index without dropping what an interrupted build has left',
  ],
  [
    new RegExp(
      String.raw`\bALTER TABLE (?:${large})\b[^;]*\bADD COLUMN\b[^;,]*\bDEFAULT\s+(?:now|clock_timestamp|random|gen_random_uuid|nextval)\b`,
      'i',
    ),
    'rewrites a large table: the default is volatile',
  ],
  [
    new RegExp(String.raw`\bALTER TABLE (?:${large})\b[^;]*\bSET NOT NULL\b`, 'i'),
    'reads a large table under its lock: validate a CHECK (… IS NOT NULL) first',
  ],
  [
    new RegExp(
      String.raw`\bALTER TABLE (?:${large})\b[^;]*\bALTER (?:COLUMN )?\w+ (?:SET DATA )?TYPE\b`,
      'i',
    ),
    'rewrites a large table',
  ],
  [
    new RegExp(
      String.raw`\bALTER TABLE (?:${large})\b(?=[^;]*\bADD (?:CONSTRAINT \w+ )?(?:CHECK|FOREIGN KEY)\b)(?![^;]*\bNOT VALID\b)`,
      'i',
    ),
    'reads a large table under its lock: add the constraint NOT VALID and validate it in another file',
  ],
  [
    new RegExp(String.raw`(?:^|;)\s*(?:UPDATE|DELETE FROM) (?:${large})\b(?![^;]*\bLIMIT\b)`, 'i'),
    'changes a large table at once: in a file outside a transaction an UPDATE with a LIMIT is repeated until it changes nothing',
  ],
];

/** Rules for files that run while processes of the previous version still do; files marked "After the upgrade" are exempt. */
const expandRules: typeof rules = [
  [/\bDROP (?:TABLE|COLUMN|VIEW|TYPE|FUNCTION|SCHEMA)\b/i, 'drops what the previous version may use'],
  [/\bRENAME\b/i, 'renames what the previous version may use'],
  [/\bALTER (?:COLUMN )?\w+ (?:SET DATA )?TYPE\b/i, 'changes a type that the previous version may use'],
  [/\bSET NOT NULL\b/i, 'refuses nulls that the previous version may write'],
  [
    /\bADD COLUMN (?:IF NOT EXISTS )?(?=[^;,]*\bNOT NULL\b)(?![^;,]*\b(?:DEFAULT|GENERATED)\b)/i,
    'adds a column that the previous version does not write',
  ],
  [
    /\bADD (?:CONSTRAINT \w+ )?(?:CHECK|UNIQUE|EXCLUDE|PRIMARY KEY|FOREIGN KEY)\b|\bCREATE UNIQUE INDEX\b/i,
    'refuses rows that the previous version may write',
  ],
];
const isAfter = (text: string): boolean => /^(?:--.*\n)*-- After the upgrade\b/.test(text);

const problemsOf = (text: string, checked = rules): string[] => {
  const sql = text.replace(/--.*$/gm, '');
  return checked.flatMap(([form, problem]) => (form.test(sql) ? [problem] : []));
};

test('New migrations lock no large table for longer than a moment', () => {
  const files = readdirSync(folder).filter((name) => name >= firstChecked);
  const problems = files.flatMap((name) =>
    problemsOf(readFileSync(join(folder, name), 'utf8')).map((problem) => `${name} ${problem}`),
  );
  expect(problems).toEqual([]);
});

test.each([
  'CREATE INDEX x ON calculation (user_id);',
  'CREATE INDEX CONCURRENTLY x ON calculation (user_id);',
  'ALTER TABLE ofp ADD COLUMN a uuid NOT NULL DEFAULT gen_random_uuid();',
  'ALTER TABLE ofp ALTER COLUMN a SET NOT NULL;',
  'ALTER TABLE ofp ALTER a TYPE bigint;',
  'ALTER TABLE ofp ADD CONSTRAINT x CHECK (a > 0);',
  'UPDATE ofp SET a = 1 WHERE a IS NULL;',
])('A migration is refused that has %s', (sql) => {
  expect(problemsOf(sql)).toHaveLength(1);
});

test.each([
  'DROP INDEX CONCURRENTLY IF EXISTS x; CREATE INDEX CONCURRENTLY x ON calculation (user_id);',
  'CREATE INDEX x ON product (rank);',
  "ALTER TABLE ofp ADD COLUMN a text NOT NULL DEFAULT '';",
  'ALTER TABLE ofp ADD CONSTRAINT x CHECK (a > 0) NOT VALID;',
  'UPDATE ofp SET a = 1 WHERE ctid = ANY(ARRAY(SELECT ctid FROM ofp WHERE a IS NULL LIMIT 5000));',
])('A migration is accepted that has %s', (sql) => {
  expect(problemsOf(sql)).toEqual([]);
});

test('New migrations leave what the previous version uses, or run after it has stopped', () => {
  const files = readdirSync(folder).filter((name) => name >= firstChecked);
  const problems = files.flatMap((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    const found = isAfter(text) ? [] : problemsOf(text, expandRules);
    return found.map((problem) => `${name} ${problem}: begin it with "-- After the upgrade: why"`);
  });
  expect(problems).toEqual([]);
});

test.each([
  'DROP TABLE report;',
  'ALTER TABLE report DROP COLUMN a;',
  'ALTER TABLE report RENAME COLUMN a TO b;',
  'ALTER TABLE report ALTER COLUMN a TYPE bigint;',
  'ALTER TABLE report ALTER COLUMN a SET NOT NULL;',
  'ALTER TABLE report ADD COLUMN a int NOT NULL;',
  'ALTER TABLE report ADD CONSTRAINT x CHECK (a > 0);',
  'CREATE UNIQUE INDEX x ON report (a);',
])('A migration that runs beside the previous version is refused when it has %s', (sql) => {
  expect(problemsOf(sql, expandRules)).toHaveLength(1);
  expect(problemsOf('ALTER TABLE report ADD COLUMN a int NOT NULL DEFAULT 0;', expandRules)).toEqual([]);
});

import { deflateSync, crc32 } from 'node:zlib';
import PostalMime from 'postal-mime';
import type { Email } from 'postal-mime';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Client } from 'pg';
import { mailFileName } from '#data/mail/mail.ts';
import { sql } from '#store/postgres/sql.ts';
import { testApi } from '#test/api.ts';
import type { Answer, TestApi, TestUser } from '#test/api.ts';
import { allLogged } from '#test/support/request-log.ts';
import { runSql } from '#test/support/sql.ts';
import mailSend from '#workers/jobs/mail-send.ts';
import { runOnce } from '#test/support/run-once.ts';
import { apiKeyOf } from '#test/support/signed.ts';

const chunk = (type: string, data: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([size, named, check]);
};
const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
/** A valid image of this size in bytes, padded with a chunk that decoders skip. */
const png = (bytes = 200): Buffer => {
  const start = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', header)]);
  const end = Buffer.concat([
    chunk('IDAT', deflateSync(Buffer.from([0, 0]))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
  return Buffer.concat([
    start,
    chunk('teSt', Buffer.alloc(bytes - start.length - end.length - 12, 'x')),
    end,
  ]);
};
const maxBytes = 2_097_152;
const image = png().toString('base64');

let api: TestApi;
let pilot: TestUser & { apiKey: string };
let key: string;

const newPilot = async () => {
  const user = await api.user();
  return { ...user, apiKey: await apiKeyOf(api, user) };
};
beforeAll(async () => {
  api = await testApi();
  key = await api.key({});
});
afterAll(() => api.close());
beforeEach(async () => {
  pilot = await newPilot();
});

const submit = (data: Record<string, unknown> = {}, body: Record<string, unknown> = {}) =>
  api.call('submitFeedback', {
    data: { description: 'The map does not turn', screenshotPng: image, ...data },
    body: { dev_key: key, api_key: pilot.apiKey, ...body },
  });
const refused = ({ status, body }: Answer) => [status, body];
const error = (message: string) => ({
  // The answer may have a hint next to the message.
  Error: [expect.objectContaining({ Message: message, code: expect.stringMatching(/^[A-Z0-9_]+$/) })],
});

/** The mail of a feedback, sent by the job, as the operator gets it. */
const mailOf = async ({ body }: Answer): Promise<Email> => {
  const { context } = api;
  const named = `feedback:${String(body['FeedbackId'])}`;
  const { mailId } = await context.postgres.db.one<{ mailId: number }>(
    sql`SELECT id AS mail_id FROM outgoing_mail WHERE key = ${named}`,
  );
  await runOnce(mailSend, context, { mailId });
  return PostalMime.parse(await readFile(join(context.config.DATA_DIR, 'outbox', mailFileName(named))));
};

describe('submitFeedback', () => {
  test('Without a JWT the operator gets a mail with all fields and the screenshot (M-2.1.3d, M-2.12.fb1, M-2.12.fb2, M-4.9.q1a, M-4.9.q1e, M-6.7, M-5.3)', async () => {
    const extras = { zoom: 4.5, layers: ['wind', { on: true }], 'a "b"': null };
    const answer = await submit({
      description: 'It does\nnot turn ✈',
      appVersion: '4.2.0',
      serverApiVersion: '1.3.6',
      deviceOs: 'OS 18',
      deviceModel: 'Tablet',
      route: '/map?icao=KJFK',
      logId: 123_456,
      extras,
    });
    expect([answer.status, answer.body]).toEqual([
      200,
      { Success: true, FeedbackId: expect.stringMatching(/^FB-[0-9A-F]{10}$/) as string },
    ]);
    const mail = await mailOf(answer);
    expect(mail.to).toEqual([{ address: 'operator@localhost.localdomain', name: '' }]);
    for (const line of [
      `User: ${pilot.email} (${pilot.id})`,
      'It does\nnot turn ✈',
      'appVersion: 4.2.0',
      'serverApiVersion: 1.3.6',
      'deviceOs: OS 18',
      'deviceModel: Tablet',
      'route: /map?icao=KJFK',
      'logId: 123456',
    ])
      expect(mail.text).toContain(line);
    expect(JSON.parse(mail.text?.split('extras:')[1] ?? '')).toEqual(extras);
    const [attachment] = mail.attachments;
    expect(attachment?.mimeType).toBe('image/png');
    expect(Buffer.from(attachment?.content as ArrayBuffer).toString('base64')).toBe(image);
  });

  test('Only the description and the screenshot are required, and a data URL is accepted (M-4.9.q1c, M-4.9.q1e)', async () => {
    const answer = await submit({ screenshotPng: `data:image/png;base64,${image}` });
    const { attachments, text } = await mailOf(answer);
    expect(Buffer.from(attachments[0]?.content as ArrayBuffer).toString('base64')).toBe(image);
    expect(text).not.toContain('appVersion');
  });

  test.each([
    ['of a MIME encoder', image.replaceAll(/.{76}/g, '$&\r\n')],
    ['of openssl', `${image.replaceAll(/.{64}/g, '$&\n')}\n`],
    ['in the style of XML', `data:image/png;base64,\n${image.replaceAll(/.{60}/g, '\t  $&\n')}`],
  ])('The screenshot may have line breaks %s (M-4.9.q1c)', async (_, screenshotPng) => {
    const { attachments } = await mailOf(await submit({ screenshotPng }));
    expect(Buffer.from(attachments[0]?.content as ArrayBuffer).toString('base64')).toBe(image);
  });

  test('A description is truncated to 4000 characters, not refused (M-4.9.q1b, M-8.19)', async () => {
    const { text } = await mailOf(
      await submit({ description: `${'é'.repeat(3_999)}😀${'z'.repeat(1_000)}` }),
    );
    expect(text).toContain(`${'é'.repeat(3_999)}😀\n`);
    expect(text).not.toContain('z');
  });

  test('Neither the API key nor another secret reaches the mail, wherever a client puts it (M-4.9.q1f, M-5.5)', async () => {
    const answer = await submit({
      description: `My key is ${pilot.apiKey}.`,
      route: `/map?api_key=${pilot.apiKey}`,
      extras: {
        api_key: pilot.apiKey,
        [pilot.apiKey]: 1,
        deep: [
          { devKey: key, note: `x${pilot.apiKey}y`, refreshToken: 'canary-1', password: { a: 'canary-2' } },
        ],
      },
    });
    const { text } = await mailOf(answer);
    expect(text).toContain('My key is [redacted].');
    expect(text).toContain('"deep"');
    for (const secret of [pilot.apiKey, key, 'canary']) expect(text).not.toContain(secret);
  });

  test('Nothing is kept once the mail is sent, neither in any table nor in the log (M-2.12.fb2)', async () => {
    const marker = `marker${pilot.id}x`;
    const answer = await submit({ description: marker, route: marker, extras: { marker } });
    await mailOf(answer);
    await submit({ description: marker, screenshotPng: 'no' });
    await api.running.services.requestLog.flush();
    const client = new Client({ connectionString: api.context.databaseUrl });
    await client.connect();
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    const holding: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query(
        `SELECT 1 FROM ${name} t WHERE strpos(t::text, $1) > 0 OR strpos(t::text, $2) > 0 LIMIT 1`,
        [marker, image.slice(0, 80)],
      );
      if (rows.length > 0) holding.push(name);
    }
    await client.end();
    expect(tables.length).toBeGreaterThan(20);
    expect(holding).toEqual([]);
    const { bodies } = await allLogged(api.context.postgres.db);
    const logged = bodies.join('\n');
    expect(logged).toContain(String(answer.body['FeedbackId']));
    expect(logged).not.toContain(marker);
    expect(logged).not.toContain(image.slice(0, 80));
  });
});

describe('errors in form (b) with capitalised keys', () => {
  test('A missing or wrong API key is refused (M-5.5, M-7.m7, M-2.1.4b, M-2.1.4c)', async () => {
    const expected = [401, error('Authentication required to submit feedback.')];
    for (const apiKey of [undefined, '', 'API-AAAA-AAAA-AAAA', 5])
      expect(refused(await submit({}, { api_key: apiKey }))).toEqual(expected);
    const { token } = pilot;
    const body = { dev_key: key };
    const data = { description: 'x', screenshotPng: image };
    expect(refused(await api.call('submitFeedback', { token, body, data }))).toEqual(expected);
  });

  test('A missing or wrong developer key is refused (M-2.1.2b, M-4.9.q1a)', async () => {
    expect(refused(await submit({}, { dev_key: undefined }))).toEqual([
      403,
      error('ACCESS_DENIED: The developer key is missing: send it as dev_key.'),
    ]);
    expect(refused(await submit({}, { dev_key: 'dk_wrong' }))).toEqual([
      401,
      error('The developer key is missing or not valid.'),
    ]);
  });

  const refusedFeedback: [string, Record<string, unknown>, number, string][] = [
    ['no description', { description: undefined }, 400, 'Description is required.'],
    ['a blank description', { description: '  ' }, 400, 'Description is required.'],
    ['no screenshot', { screenshotPng: undefined }, 400, 'Screenshot (screenshotPng) is required.'],
    ['an empty screenshot', { screenshotPng: '' }, 400, 'Screenshot (screenshotPng) is required.'],
    [
      'a data URL of nothing',
      { screenshotPng: 'data:image/png;base64,' },
      400,
      'Screenshot (screenshotPng) is required.',
    ],
    ['bad base64', { screenshotPng: 'iVBO*w0K' }, 400, 'Screenshot is not valid base64.'],
    ['base64 of a wrong length', { screenshotPng: 'iVBOR' }, 400, 'Screenshot is not valid base64.'],
    ['a number', { screenshotPng: 5 }, 400, 'Screenshot is not valid base64.'],
    [
      'a JPEG',
      { screenshotPng: Buffer.from('\xff\xd8\xff\xe0 JFIF', 'latin1').toString('base64') },
      400,
      'Screenshot must be a valid PNG image.',
    ],
    ['only a signature', { screenshotPng: 'iVBORw0KGgo=' }, 400, 'Screenshot must be a valid PNG image.'],
    [
      'a PNG that is cut off',
      { screenshotPng: png().subarray(0, 150).toString('base64') },
      400,
      'Screenshot must be a valid PNG image.',
    ],
    [
      'a PNG with a wrong checksum',
      { screenshotPng: png().fill('y', 80, 81).toString('base64') },
      400,
      'Screenshot must be a valid PNG image.',
    ],
    [
      'a log id that is none',
      { logId: 'x' },
      400,
      'logId must be a number, or must match /^[1-9]\\d{0,15}$/.',
    ],
    ['extras that are a list', { extras: [1] }, 400, 'extras must be an object.'],
  ];

  test.each(refusedFeedback)(
    'A feedback is refused: %s (M-7.m8, M-7.m9, M-7.m10, M-7.m12, M-4.9.q1b, M-4.9.q1c, M-2.1.4c)',
    async (_, data, status, message) => {
      expect(refused(await submit(data))).toEqual([status, error(message)]);
    },
  );

  test('A PNG of 2 MB in a body of over 3 MB is accepted, while one byte more or 3 MB is too large (M-4.9.q1d, M-7.m11, M-8.20)', async () => {
    const filler = { filler: 'x'.repeat(300_000) };
    expect((await submit({ screenshotPng: png(maxBytes).toString('base64'), extras: filler })).status).toBe(
      200,
    );
    for (const bytes of [maxBytes + 1, 1.5 * maxBytes])
      expect(refused(await submit({ screenshotPng: png(bytes).toString('base64') }))).toEqual([
        413,
        error('Screenshot too large (max 2 MB decoded).'),
      ]);
  });

  test('The sixth message within an hour is refused, refused messages do not count, and other users may still send (M-7.m13, M-8.21, G-27)', async () => {
    for (let i = 0; i < 8; i += 1) expect((await submit({ description: '' })).status).toBe(400);
    const statuses = (await Promise.all(Array.from({ length: 8 }, () => submit()))).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
    expect(refused(await submit())).toEqual([
      429,
      error('Rate limit exceeded. Please wait before submitting more feedback.'),
    ]);
    const first = pilot;
    pilot = await newPilot();
    expect((await submit()).status).toBe(200);
    pilot = first;
    api.context.clock.advance(3_600);
    expect((await submit()).status).toBe(200);
  });

  test('If the counter is unreachable nothing is refunded: five messages are accepted, not six (M-8.21)', async () => {
    const { postgres } = api.context;
    await runSql(postgres)`
      ALTER TABLE rate_limit ADD CONSTRAINT broken CHECK (key NOT LIKE 'feedback %' OR used <= 0) NOT VALID`;
    expect((await submit()).status).toBe(500);
    await runSql(postgres)`ALTER TABLE rate_limit DROP CONSTRAINT broken`;
    const statuses = [];
    for (let i = 0; i < 6; i += 1) statuses.push((await submit()).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });
});

import * as fc from 'fast-check';
import { SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { newApiKey } from '#store/auth/secrets.ts';
import { newDeveloperKey } from '../developer-keys.ts';
import { passwords } from '#store/auth/passwords.ts';
import { cut, redact } from './redact.ts';

const mark = '[redacted]';

/** The value wrapped in this many layers of JSON in strings. */
const wrapped = (value: unknown, layers: number): unknown =>
  layers === 0 ? value : JSON.stringify({ layer: layers, inner: wrapped(value, layers - 1), last: true });
const unwrapped = (value: unknown, layers: number): unknown =>
  layers === 0 ? value : unwrapped((JSON.parse(value as string) as { inner: unknown }).inner, layers - 1);

describe('secrets by name (M-5.8)', () => {
  test('Secrets are redacted at any depth and for any value, and null is kept', () => {
    const list = [{ deep: { PIN: 1234, shareCode: { a: ['}"'] }, keep: 'visible', none: null } }];
    expect(
      redact({ dev_key: 'c1', tokens: ['c2', 'c3'], password: null, isToken: true, list, n: 1 }),
    ).toEqual({
      dev_key: mark,
      tokens: mark,
      password: null,
      isToken: mark,
      list: [{ deep: { PIN: mark, shareCode: mark, keep: 'visible', none: null } }],
      n: 1,
    });
  });

  test.each([1, 2, 3, 4, 5])('Secrets are redacted in JSON inside a string, %i levels deep', (layers) => {
    const secret = {
      'X-API-Key': 'c1',
      pin: 12,
      credentials: { a: [{ b: '"]}' }] },
      note: 'a "b": \\ c',
      ok: 1,
    };
    const result = redact({ data: wrapped(secret, layers), list: [wrapped(secret, layers)], after: 1 }) as {
      data: unknown;
      list: unknown[];
    };
    const kept = { 'X-API-Key': mark, pin: mark, credentials: mark, note: 'a "b": \\ c', ok: 1 };
    expect(unwrapped(result.data, layers)).toEqual(kept);
    expect(unwrapped(result.list[0], layers)).toEqual(kept);
    expect(result).toMatchObject({ after: 1 });
  });

  test('Secrets are redacted with white space, escapes and quotes in any form', () => {
    const texts = [
      '{ "password" : "c1" , "a" : 1 }',
      '{"p\\u0061ssword":"c1","a":1}',
      '{"pass\\nword":"c1"}',
      JSON.stringify({ a: '{\n\t"password" :\r\n "c1"\n}' }),
      '{"a":"{\\u0022password\\u0022:\\u0022c1\\u0022}"}',
      '{"a":"{\\"b\\":\\"{\\\\u0022pin\\\\u0022:\\\\u0022c1\\\\u0022}\\"}"}',
      '{"a":"password=\\"c1 c1\\" b"}',
      JSON.stringify({ a: "password='c1 c1' b" }),
      JSON.stringify({ a: 'it is 5" long, {"password":"c1"}' }),
      '{"password":"\\"c1\\\\","a":1}',
      '{"password":"c1","password":null,"b":2}',
      JSON.stringify({ a: '{"password":"c1","password":null,"b":2}' }),
      '{"a":"Authorization=Bearer c1c1c1c1c1c1c1c1c1&x=1"}',
      '{"a":"eyJ0-dk_c1c1c1c1c1c1c1"}',
      '{"other":"https://me:c1@a.example"}',
    ];
    for (const text of texts)
      expect([text, JSON.stringify(redact(JSON.parse(text)))]).toEqual([
        text,
        expect.not.stringContaining('c1'),
      ]);
  });

  test('Secrets are redacted in query strings, including escaped ones, and the rest of the URL is kept', () => {
    expect(
      redact([
        'https://efb.example/share?t=1&token=c1&x=2#top',
        '/reset?api_key=c1',
        'https://a.example/?return=https%3A%2F%2Fb.example%3Ftoken%3Dc1%26page%3D2',
        'compass=12&pass=c1;next',
        'one\ntoken=c1\ntwo',
        '?page=1&share+code=c1&API%20key=c1&page=3',
      ]),
    ).toEqual([
      `https://efb.example/share?t=1&token=${mark}&x=2#top`,
      `/reset?api_key=${mark}`,
      `https://a.example/?return=https%3A%2F%2Fb.example%3Ftoken%3D${mark}%26page%3D2`,
      `compass=12&pass=${mark};next`,
      `one\ntoken=${mark}\ntwo`,
      `?page=1&share+code=${mark}&API%20key=${mark}&page=3`,
    ]);
  });
});

describe('secrets by value', () => {
  test('Keys, tokens, hashes and passwords are redacted in URLs, values, keys and lists', async () => {
    const jwt = await new SignJWT({ gen: 1 })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .sign(new TextEncoder().encode('0123456789-0123456789-0123456789'));
    const secrets = [
      newDeveloperKey(),
      newApiKey(),
      newApiKey().toLowerCase(),
      jwt,
      await passwords.hash('secret'),
    ];
    for (const secret of secrets) {
      const result = JSON.stringify(
        redact({
          note: secret,
          list: [`see ${secret}.`, `\n${secret}`],
          // Numbers may or may not be redacted, since random letters can spell the name of a secret.
          [secret]: secret,
          in: wrapped(secret, 3),
        }),
      );
      expect([secret, result]).toEqual([secret, expect.not.stringContaining(secret)]);
      expect([secret, result.split(mark).length]).toEqual([secret, 7]);
    }
    expect(redact(['postgres://efb:c1@db.example:5432/efb', 'Bearer c1c1c1c1c1c1c1c1c1 x'])).toEqual([
      `postgres://efb:${mark}@db.example:5432/efb`,
      `Bearer ${mark} x`,
    ]);
  });

  test.each([
    'sdk_version_12',
    'dk_short',
    'eyJ is not a token. Really.',
    'API-KEY',
    'API-1234',
    'https://efb.example:443/a@b',
    'Bearer authentication',
    'EDDF 161150Z 24008KT 9999 FEW030 18/09 Q1015=',
    'a = b, c == d',
    '$argon',
  ])('%s is kept', (text) => {
    expect(redact({ text })).toEqual({ text });
  });
});

describe('redaction of any JSON', () => {
  const names = fc.oneof(
    fc.string(),
    fc.constantFrom('a', 'list', 'password', 'X-Dev-Key', 'shareCode', 'compass'),
  );
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('"', '\\', ':', '{', '}', 'pin', ' ', ',', 'u0022', '=') }),
      fc.integer(),
      fc.constant(null),
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(names, tie('tree'), { maxKeys: 4 }),
      tie('tree').map((value) => JSON.stringify(value)),
    ),
  }));

  test('The result is valid JSON with the same structure', () => {
    const shape = (value: unknown): unknown => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return Array.isArray(value);
      return Object.keys(value).length;
    };
    fc.assert(
      fc.property(tree, (value) => {
        const given = JSON.parse(JSON.stringify({ value })) as { value: unknown };
        expect(shape(redact(given).value)).toEqual(shape(given.value));
      }),
      { numRuns: 2_000 },
    );
  });

  test('No canary under a secret name survives, however deeply nested', () => {
    const canary = fc.constantFrom(
      'canary7',
      '"canary7',
      'canary7\\',
      '{"a":"canary7',
      'x": "canary7"',
      'a,b]}canary7',
    );
    const name = fc.constantFrom('password', 'user_pin', 'X-API-Key', 'accessToken', 'share code');
    const step = fc.constantFrom('string', 'list', 'object');
    fc.assert(
      fc.property(
        tree,
        tree,
        name,
        canary,
        fc.array(step, { maxLength: 6 }),
        (before, after, key, secret, path) => {
          let value: unknown = { before, [key]: secret, after };
          for (const wrap of path) {
            if (wrap === 'string') value = JSON.stringify(value);
            if (wrap === 'list') value = [before, value, 7];
            if (wrap === 'object') value = { a: value, b: 1 };
          }
          expect(JSON.stringify(redact(value))).not.toContain('canary7');
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('Line breaks and URLs are unchanged', () => {
    const value = {
      text: 'two\nlines\tand\rmore',
      url: 'https://a.example:8443/b?c#d',
      mail: 'a@b.example',
    };
    expect(redact(value)).toBe(value);
  });

  test('Text without secret names or values is unchanged', () => {
    const own = { a: ['"" ', '"\\/"', '[ 1.0, "a" ]\n', '{"a": 1}'] };
    expect(redact(own)).toBe(own);
    const harmless = fc.constantFrom('a', 'compass', 'passengers', 'pinned', 'icao', 'windKt');
    const safe = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.string({ unit: fc.constantFrom('a', '7', ' ', '\n', '"', '\\', '漢', '😀', '.', '/') }),
        fc.double(),
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(harmless, tie('tree'), { maxKeys: 4 }),
        tie('tree').map((value) => JSON.stringify(value)),
      ),
    })).tree;
    fc.assert(
      fc.property(safe, (value) => {
        const given = { value };
        expect(redact(given)).toBe(given);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('size limits', () => {
  test('A text over the limit is truncated to valid JSON (M-8.24)', () => {
    for (const unit of ['word ', '"\\', '漢字 ', '😀 ', '\n ']) {
      const text = JSON.stringify({ note: unit.repeat(900_000), password: 'c1' });
      const result = cut(text, 1_000_000);
      expect(Buffer.byteLength(result)).toBeLessThanOrEqual(1_000_000);
      expect(Buffer.byteLength(result)).toBeGreaterThan(400_000);
      const read = JSON.parse(result) as { truncated: boolean; bytes: number; start: string };
      expect(read).toMatchObject({ truncated: true, bytes: Buffer.byteLength(text) });
      expect(text.startsWith(read.start.slice(0, 1_000))).toBe(true);
    }
  });

  test('A long base64 text is replaced by its length and digest, even in a JSON string', () => {
    const png = Buffer.alloc(6_000, 'picture').toString('base64');
    const note = expect.stringMatching(/^\[8000 characters of base64, sha256 [0-9a-f]{16}…\]$/);
    const data = `data:image/png;base64,${png}`;
    const result = redact({
      png,
      in: JSON.stringify({ png }),
      list: [png],
      short: png.slice(0, 2_000),
      data,
    }) as {
      in: string;
    };
    expect(result).toMatchObject({ png: note, list: [note], short: png.slice(0, 2_000) });
    expect(result).toMatchObject({ data: expect.stringMatching(/^\[8022 characters/) });
    expect(JSON.parse(result.in)).toEqual({ png: note });
  });

  const megabytes = 4_500_000;
  test.each([
    ['one long text', JSON.stringify({ a: 'word '.repeat(megabytes / 5) })],
    ['one word', JSON.stringify({ a: `${'A'.repeat(megabytes)}!` })],
    // The body reader accepts at most 400,000 values.
    ['secret names', `{${'"pin":{}, '.repeat(399_000)}"a":1${' '.repeat(500_000)}}`],
    ['names', `{${'"abcdef":"x",'.repeat(megabytes / 13)}"a":1}`],
    ['backslashes', `{"a":"${'\\\\'.repeat(megabytes / 2)}"}`],
    ['spaces after a name', `{"pin"${' '.repeat(megabytes)}:"b"}`],
    ['beginnings of tokens', JSON.stringify({ a: 'eyJ'.repeat(megabytes / 3) })],
    ['beginnings of tokens with dots', JSON.stringify({ a: 'eyJ.'.repeat(megabytes / 4) })],
    ['beginnings of keys', JSON.stringify({ a: 'adk_'.repeat(megabytes / 4) })],
    ['equals signs', JSON.stringify({ a: 'pwd='.repeat(megabytes / 4) })],
    ['addresses', JSON.stringify({ a: '://a:'.repeat(megabytes / 5) })],
    ['quotes in strings', `{"a":"${'\\":'.repeat(megabytes / 3)}"}`],
    ['escaped quotes', `{"a":"${'\\u0022pin'.repeat(megabytes / 9)}"}`],
    ['a long secret', JSON.stringify({ password: 'x"'.repeat(megabytes / 2) })],
    ['a secret list', `{"tokens":[${'{"a":"b"},'.repeat(megabytes / 10)}1]}`],
    [
      'JSON in a string',
      JSON.stringify({ a: JSON.stringify(Array.from({ length: 90_000 }, (_, i) => ({ pin: i }))) }),
    ],
    ['brackets in a string', JSON.stringify({ a: '['.repeat(megabytes / 2) + ']'.repeat(megabytes / 2) })],
    ['what is almost JSON', `[${'"{}}",'.repeat(megabytes / 10)}1]`],
  ])('4.5 MB of %s are redacted in linear time', (_, text) => {
    const given: unknown = JSON.parse(text);
    const cpuMs = () => {
      const { user, system } = process.threadCpuUsage();
      return (user + system) / 1_000;
    };
    // The best of three, since garbage is collected meanwhile.
    const took = [1, 2, 3].map(() => {
      const start = cpuMs();
      redact(given);
      return cpuMs() - start;
    });
    expect(Math.min(...took)).toBeLessThan(1_000);
  });
});

import { describe, expect, test } from 'vitest';
import { lengthOf } from '../fields/index.ts';
import { crewcodeOf } from './crewcode.ts';
import { pinSchema } from './fields.ts';
import { nameField, nameInMail } from './names.ts';
import { completePreferences, defaultPreferences } from './preferences.ts';
import { isResetToken, resetMail } from './mails.ts';
import { returnUrlEntry, safeReturnUrl } from './return-url.ts';
import { firstTimeCode, usageHabits } from './statistics.ts';
import { unitConfig, unitDetails } from './units.ts';
import { vaItem } from '../virtual-airlines/virtual-airline.ts';

describe('crew code', () => {
  test.each([
    ['Anna', 'Müller', 'MULLEA'],
    ['Élodie', 'Ng', 'NGE'],
    ['Bo', 'Li', 'LIB'],
    ['Ömer', 'Çağlayan', 'CAGLAO'],
    ['Łukasz', 'Błaszczyk', 'BLASZL'],
    ['Jörg', 'Weiß', 'WEISSJ'],
    ['Søren', 'Ærø', 'AEROS'],
    ['Mary-Jane', "O'Connor", 'OCONNM'],
    ['Jan', 'van der Berg', 'VANDEJ'],
    ['Νίκος', 'Παπαδόπουλος', 'ΠΑΠΑΔΝ'],
    ['Trang', 'Nguyễn', 'NGUYET'],
    ['민준', '김', '김민'],
    ['サクラ', 'ガードナー', 'ガードナーサ'],
    ['太郎', '山田', '山田太'],
    ['Юрий', 'Йовчев', 'ЙОВЧЕЮ'],
    ['Їжак', 'Єлізавета', 'ЄЛІЗАЇ'],
    ['क्षिति', 'विश्वनाथ', 'विश्वनाथक्षि'],
    ['สมชาย', 'น้ำใส', 'น้ำใสส'],
    ['علی\u200cرضا', 'محمدی', 'محمدیع'],
    ['Anna', '!!', 'A'],
    ['-', "''", 'CREW'],
    ['\u0301', '\u200d', 'CREW'],
  ])('%s %s is %s (M-4.6.q1f)', (firstname, lastname, expected) => {
    expect(crewcodeOf(firstname, lastname)).toBe(expected);
    expect(crewcodeOf(firstname.normalize('NFD'), lastname.normalize('NFD'))).toBe(expected);
  });

  test('A crew code keeps its maximum length, however many marks a letter has', () => {
    expect(lengthOf(crewcodeOf('Anna', `क${'\u093c'.repeat(40)}`))).toBe(20);
  });
});

describe('return URLs', () => {
  const listed = ['efb.example', 'a.example', 'xn--bcher-kva.example', 'app:', 'com.example.efb:', 'myefb:'];

  test.each([
    'https://efb.example/done?x=1#y',
    'HTTPS://EFB.example/x',
    'https://efb.example:8443/x',
    'https://bücher.example/x',
    'app://x',
    'com.example.efb:/oauth/done',
    'MyEfb://login',
  ])('%s is listed and accepted unchanged (A-12)', (url) => {
    expect(safeReturnUrl(url, listed)).toBe(url);
  });

  test.each(['https://efb.example/x', 'app://x', 'myefb://login', 'https://a.example'])(
    '%s is refused when the key lists something else, while without a list apps are allowed (A-12)',
    (url) => {
      const isApp = !url.startsWith('https:');
      expect(safeReturnUrl(url, ['other.example', 'other:', 'app', 'https:', 'myefb'])).toBeNull();
      for (const withoutSchemes of [[], ['other.example', 'app']])
        expect(safeReturnUrl(url, withoutSchemes)).toBe(isApp ? url : null);
    },
  );

  test.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'java\tscript:alert(1)',
    'java%0ascript:alert(1)',
    '\u0001javascript:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://a.example/1',
    'about:blank',
    'http://plain.example',
    'http://efb.example',
    'view-source:https://a.example',
    'intent://efb.example',
    'MS-msdt:/id',
    'tel:112',
    'content://contacts',
    '//evil.example',
    '/relative',
    'https:evil.example',
    'https:efb.example',
    'https:///evil.example',
    'https:///efb.example',
    'https:\\\\evil.example',
    'https://user:secret@evil.example',
    'https://user:secret@efb.example',
    'https://efb.example@evil.example',
    'https://efb.example.evil.example',
    'https://evil.example/efb.example',
    'https://sub.efb.example',
    'https://a.example/"><script>',
    'https://a.example/\u2028',
    '',
    'nonsense',
    `https://a.example/${'x'.repeat(2_000)}`,
  ])('%j is refused, even for a key that lists its scheme (A-12)', (url) => {
    const everything = [
      ...listed,
      'javascript:',
      'data:',
      'vbscript:',
      'file:',
      'http:',
      'intent:',
      'https:',
    ];
    for (const allowed of [listed, everything, ['efb.example']])
      expect(safeReturnUrl(url, allowed)).toBeNull();
  });

  test.each([
    ['efb.example', 'efb.example'],
    [' EFB.Example ', 'efb.example'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['MyEfb:', 'myefb:'],
    ['com.example.efb:', 'com.example.efb:'],
    ['javascript:', null],
    ['localhost', null],
    ['com', null],
    ['.', null],
    ['efb.example.', null],
    ['192.168.0.1', null],
    ['[::1]', null],
    ['xn--mnchen-3ya.example', 'xn--mnchen-3ya.example'],
    ['rdp:', null],
    ['https:', null],
    ['http:', null],
    ['file:', null],
    ['myefb://', null],
    ['https://efb.example', null],
    ['efb.example/x', null],
    ['efb.example:8443', null],
    ['user@efb.example', null],
    ['*.efb.example', null],
    ['1app:', null],
    ['efb example', null],
    [':', null],
    ['', null],
    [`${'x'.repeat(260)}.example`, null],
  ])('The entry %j of a key is stored as %j', (given, expected) => {
    expect(returnUrlEntry(given)).toBe(expected);
  });
});

describe('first and last names', () => {
  test.each([
    'Anna',
    'José María',
    "O'Connor",
    'Łukasz',
    '山田',
    'علی\u200cرضا',
    'x'.repeat(50),
    'A: B',
    'and/or',
  ])('%j is accepted', (name) => {
    expect(nameField().safeParse(name).data).toBe(name);
  });

  test.each([
    'Anna\nBcc: x@evil.example',
    'Anna\rX',
    'A\u0000B',
    'A\u0007B',
    'A\u007fB',
    'A\u0085B',
    'A\u2028B',
    'A\u202eB',
    'A\u061cB',
    'A\u3164B',
    'A\u{e0041}B',
    'A\u2800B',
    'win https://evil.example',
    'ftp://x',
    '://',
    'x'.repeat(51),
    7,
  ])('%j is INVALID_FIELD', (name) => {
    expect(
      nameField()
        .safeParse(name)
        .error?.issues.map(({ message }) => message),
    ).toEqual(['INVALID_FIELD']);
  });

  test.each(['', '  ', null, undefined])('%j is MISSING_FIELD', (name) => {
    expect(
      nameField()
        .safeParse(name)
        .error?.issues.map(({ message }) => message),
    ).toEqual(['MISSING_FIELD']);
  });
});

describe('preferences', () => {
  test.each([null, undefined, 7, [], 'x', {}])('%j gives every default', (stored) => {
    expect(completePreferences(stored, false)).toEqual(defaultPreferences);
  });

  test('The defaults are those specified', () => {
    expect(defaultPreferences).toMatchObject({
      defaultUnit: 'METRIC',
      onlineServer: 'None',
      efb: {
        enableEFB: true,
        modules: { briefingNavlog: true, checklist: true, library: true, tools: true },
        toolsOptions: null,
      },
      weather: { display: true, notification: true },
    });
  });

  test('Valid values are kept, invalid and unknown ones become the default, and the lock is not among them', () => {
    const stored = {
      settingsLocked: true,
      defaultUnit: 'FURLONG',
      onlineServer: 'IVAO',
      unknown: 1,
      efb: {
        modules: { tools: false, other: 1 },
        toolsOptions: [{ id: 'a', visible: true, order: 1, other: 1 }],
      },
      weather: 'broken',
    };
    expect(completePreferences(stored, false)).toEqual({
      ...defaultPreferences,
      onlineServer: 'IVAO',
      efb: {
        ...defaultPreferences.efb,
        modules: { ...defaultPreferences.efb.modules, tools: false },
        toolsOptions: [{ id: 'a', visible: true, order: 1 }],
      },
    });
    expect(completePreferences({}, true).settingsLocked).toBe(true);
  });

  test('A malicious tree adds nothing', () => {
    const stored: unknown = JSON.parse(
      '{"__proto__":{"defaultUnit":"IMPERIAL"},"efb":{"__proto__":{"enableEFB":false}}}',
    );
    expect(completePreferences(stored, false)).toEqual(defaultPreferences);
    expect(Object.hasOwn(Object.prototype, 'defaultUnit')).toBe(false);
  });
});

describe('units', () => {
  const si = (id: string, value: number) => {
    const unit = unitDetails.find((known) => known.id === id);
    return unit ? value * unit.factorToSI + unit.offset : Number.NaN;
  };

  test('Conversions between known pairs of units agree with SI (G-17)', () => {
    expect(si('lb', 1_000)).toBeCloseTo(si('kg', 453.59237), 9);
    expect(si('feet', 1_000)).toBeCloseTo(si('meter', 304.8), 9);
    expect(si('inches', 1)).toBeCloseTo(si('mm', 25.4), 12);
    expect(si('kt', 3_600)).toBeCloseTo(si('ms', 1_852), 9);
    expect(si('fahrenheit', 59)).toBeCloseTo(si('celsius', 15), 9);
    expect(si('inhg', 29.9213) / si('hpa', 1_013.25)).toBeCloseTo(1, 5);
  });

  test('Metric is kilograms and metres, imperial pounds and feet (G-17)', () => {
    expect(unitConfig[0]).toMatchObject({ id: 'METRIC', weight: 'kg', distance: 'meter', pressure: 'hpa' });
    expect(unitConfig[2]).toMatchObject({ id: 'IMPERIAL', weight: 'lb', distance: 'feet', pressure: 'inhg' });
  });
});

test('A pair of logos takes precedence over a single one, and half a pair does not count (M-2.7.u16)', () => {
  const va = {
    id: 1,
    name: 'A',
    website: null,
    contactEmail: null,
    logo: 'one',
    logoDark: 'dark',
    logoWhite: 'white',
    isPartner: true,
    legacyName: null,
  };
  expect(vaItem(va, 'https://efb.example')).toEqual({
    id: 1,
    name: 'A',
    website: null,
    contactEmail: null,
    logoDark: 'dark',
    logoWhite: 'white',
  });
  expect(vaItem({ ...va, logoWhite: null }, 'https://efb.example')).toMatchObject({ logo: 'one' });
});

test('A PIN has 4 to 6 digits, as text or number (M-8.12)', () => {
  for (const pin of ['1234', '012345', 4321]) expect(pinSchema.safeParse(pin).success).toBe(true);
  for (const pin of ['123', '1234567', '12a4', '', 12, 1.5, -1234, null]) {
    expect(pinSchema.safeParse(pin).success).toBe(false);
  }
});

test('On the day of a clock change both offsets count (M-2.7.t17, M-2.7.t18)', () => {
  const times = String.fromCharCode(firstTimeCode + 3, firstTimeCode + 5, firstTimeCode + 8);
  const { hourOfDay } = usageHabits([{ day: '2026-10-25', times }], 'Europe/Berlin');
  // 00:45, 01:15 and 02:00 UTC: 02:45 in summer time, then 02:15 and 03:00 in winter time.
  expect(hourOfDay.filter(({ count }) => count > 0).map(({ hour, count }) => [hour, count])).toEqual([
    [2, 2],
    [3, 1],
  ]);
});

test('Without calculations there are no habits (M-2.7.t22)', () => {
  expect(usageHabits([], 'UTC')).toEqual({ weekday: [], hourOfDay: [] });
});

test.each([
  ['www.evil.example click', 'www. evil. example click'],
  ['evil\uff0eexample', 'evil\uff0e example'],
  ['me@evil.example', 'me at evil. example'],
  ['mailto:me', 'mailto: me'],
  ['Dr. J.R. Tolkien', 'Dr. J. R. Tolkien'],
  ["Jean-Luc O'Brien", "Jean-Luc O'Brien"],
])('In a mail the name %j is %j, which no program turns into a link', (name, expected) => {
  expect(nameInMail(name)).toBe(expected);
});

test('The reset mail escapes names, and a token has 43 URL-safe characters', () => {
  expect(resetMail('<i>', 'https://a.example/?a=1&b=2').html).not.toContain('<i>');
  const hostile = resetMail('You won\r\nhttps://evil.example <b>\u202e', 'https://a.example/?token=1');
  for (const body of [hostile.text, hostile.html]) {
    expect(body).toMatch(/Hello You won +https evil\. example/);
    expect(body).not.toContain('https://evil');
  }
  expect(resetMail('\u0000', 'https://a.example').text).toMatch(/^Hello,\n/);
  expect(resetMail('Anna-Zoë', 'https://a.example').text).toMatch(/^Hello Anna-Zoë,\n/);
  expect(resetMail('x'.repeat(4_000), 'https://a.example').text.length).toBeLessThan(400);
  expect(isResetToken('A'.repeat(43))).toBe(true);
  for (const text of ['', 'A'.repeat(42), `${'A'.repeat(42)}=`, `${'A'.repeat(43)}\n`]) {
    expect(isResetToken(text)).toBe(false);
  }
});

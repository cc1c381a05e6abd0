import { describe, expect, test } from 'vitest';
import { crewcodeOf } from './crewcode.ts';
import { pinSchema } from './fields.ts';
import { completePreferences, defaultPreferences } from './preferences.ts';
import { isResetToken, resetMail } from './reset-mail.ts';
import { safeReturnUrl } from './return-url.ts';
import { usageHabits } from './statistics.ts';
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
  ])('%s %s is %s (M-4.6.q1f)', (firstname, lastname, expected) => {
    expect(crewcodeOf(firstname, lastname)).toBe(expected);
  });
});

describe('return address', () => {
  test.each(['https://efb.example/done?x=1#y', 'app://x', 'com.example.efb:/oauth/done', 'MyEfb://login'])(
    '%s is accepted unchanged (A-12)',
    (url) => {
      expect(safeReturnUrl(url, [])).toBe(url);
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
    'view-source:https://a.example',
    '//evil.example',
    '/relative',
    'https:evil.example',
    'https:///evil.example',
    'https:\\\\evil.example',
    'https://user:secret@evil.example',
    'https://a.example/"><script>',
    'https://a.example/\u2028',
    '',
    'nonsense',
    `https://a.example/${'x'.repeat(2_000)}`,
  ])('%j is refused (A-12)', (url) => {
    expect(safeReturnUrl(url, [])).toBeNull();
  });

  test('The hosts of a key restrict https, not apps (A-12)', () => {
    const hosts = ['efb.example'];
    expect(safeReturnUrl('https://efb.example/x', hosts)).not.toBeNull();
    expect(safeReturnUrl('https://EFB.example/x', hosts)).not.toBeNull();
    expect(safeReturnUrl('app://efb', hosts)).not.toBeNull();
    for (const url of [
      'https://efb.example.evil.example',
      'https://evil.example/efb.example',
      'https://efb.example@evil.example',
      'https://sub.efb.example',
    ]) {
      expect(safeReturnUrl(url, hosts)).toBeNull();
    }
  });
});

describe('preferences', () => {
  test.each([null, undefined, 7, [], 'x', {}])('%j gives every default', (stored) => {
    expect(completePreferences(stored, false)).toEqual(defaultPreferences);
  });

  test('The specified defaults', () => {
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

  test('Valid values stay, invalid and unknown ones become the default; the lock is not among them', () => {
    const stored = {
      settingsLocked: true,
      defaultUnit: 'FURLONG',
      onlineServer: 'IVAO',
      unknown: 1,
      efb: { modules: { tools: false, other: 1 }, toolsOptions: [{ id: 'a', visible: true, order: 1 }] },
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

  test('Factors: known pairs are equal in SI (G-17)', () => {
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

test('A pair of logos wins over a single one; half a pair does not count (M-2.7.u16)', () => {
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
  expect(vaItem(va)).toEqual({
    id: 1,
    name: 'A',
    website: null,
    contactEmail: null,
    logoDark: 'dark',
    logoWhite: 'white',
  });
  expect(vaItem({ ...va, logoWhite: null })).toMatchObject({ logo: 'one' });
});

test('A PIN has 4 to 6 digits, as text or number (M-8.12)', () => {
  for (const pin of ['1234', '012345', 4321]) expect(pinSchema.safeParse(pin).success).toBe(true);
  for (const pin of ['123', '1234567', '12a4', '', 12, 1.5, -1234, null]) {
    expect(pinSchema.safeParse(pin).success).toBe(false);
  }
});

test('No calculations, no habits (M-2.7.t22)', () => {
  expect(usageHabits([], [])).toEqual({ weekday: [], hourOfDay: [] });
});

test('The reset mail escapes names; a token has 43 URL-safe characters', () => {
  expect(resetMail('<i>', 'https://a.example/?a=1&b=2').html).not.toContain('<i>');
  expect(isResetToken('A'.repeat(43))).toBe(true);
  for (const text of ['', 'A'.repeat(42), `${'A'.repeat(42)}=`, `${'A'.repeat(43)}\n`]) {
    expect(isResetToken(text)).toBe(false);
  }
});

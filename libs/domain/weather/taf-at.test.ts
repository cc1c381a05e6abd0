import { describe, expect, test } from 'vitest';
import { categoryOf } from './category.ts';
import { tafAt } from './taf-at.ts';
import type { TafAt } from './taf-at.ts';

const becoming =
  'TAF EDDM 161100Z 1612/1718 24008KT CAVOK BECMG 1616/1618 27018G30KT 6000 -RA BKN012 ' +
  'TEMPO 1618/1622 3000 +TSRA BKN008CB PROB30 TEMPO 1620/1622 1500 BECMG 1700/1702 9999 NSW SCT030';
const fromGroups =
  'TAF KJFK 161120Z 1612/1718 03010KT P6SM BKN030 TEMPO 1612/1616 2SM RA OVC008 FM161800 31015G25KT P6SM SCT250 ' +
  'PROB40 1706/1710 1/2SM FG VV002';

const at = (text: string, time: string): TafAt => {
  const found = tafAt(text, `2026-09-${time}Z`);
  if ('reason' in found) throw new Error(found.reason);
  return found;
};
/** Wind, visibility, weather and category of the prevailing conditions, then the groups by name. */
const shown = (text: string, time: string) => {
  const { prevailing, groups, changes } = at(text, time);
  return [
    `${prevailing.wind?.directionDeg}/${prevailing.wind?.speedKt}`,
    prevailing.cavok ? 'CAVOK' : (prevailing.visibility?.metres ?? null),
    prevailing.weather.map(({ code }) => code).join(' '),
    categoryOf(prevailing),
    groups.map(({ kind }) => kind).join(' '),
    changes.map(
      ({ kind, probability, conditions }) => `${kind}${probability ?? ''} ${categoryOf(conditions)}`,
    ),
  ];
};

describe('the TAF at a given time', () => {
  test.each([
    ['before the first change', becoming, '16T13:00', ['240/8', 'CAVOK', '', 'VFR', 'MAIN', []]],
    [
      'while it changes, what was prevails and the change is named',
      becoming,
      '16T17:00',
      ['240/8', 'CAVOK', '', 'VFR', 'MAIN', ['BECMG MVFR']],
    ],
    ['after the change', becoming, '16T18:00', ['270/18', 6_000, '-RA', 'MVFR', 'MAIN BECMG', ['TEMPO IFR']]],
    [
      'two temporary groups, one of them probable',
      becoming,
      '16T21:59',
      ['270/18', 6_000, '-RA', 'MVFR', 'MAIN BECMG', ['TEMPO IFR', 'TEMPO30 LIFR']],
    ],
    [
      'NSW ends the rain, and the wind of the former group stays',
      becoming,
      '17T03:00',
      ['270/18', 9_999, '', 'VFR', 'MAIN BECMG BECMG', []],
    ],
    ['a temporary group', fromGroups, '16T15:59', ['30/10', 9_656, '', 'MVFR', 'MAIN', ['TEMPO IFR']]],
    ['FM replaces everything', fromGroups, '16T18:00', ['310/15', 9_656, '', 'VFR', 'FM', []]],
    ['PROB', fromGroups, '17T06:00', ['310/15', 9_656, '', 'VFR', 'FM', ['PROB40 LIFR']]],
  ])('%s', (_, text, time, expected) => {
    expect(shown(text, time)).toEqual(expected);
  });

  test('Groups are quoted as printed with their periods', () => {
    const { groups, changes } = at(becoming, '16T21:00');
    expect(groups.map(({ text }) => text)).toEqual([
      '24008KT CAVOK',
      'BECMG 1616/1618 27018G30KT 6000 -RA BKN012',
    ]);
    expect(changes.map(({ text, from, to }) => [text, from, to])).toEqual([
      ['TEMPO 1618/1622 3000 +TSRA BKN008CB', '2026-09-16T18:00:00.000Z', '2026-09-16T22:00:00.000Z'],
      ['PROB30 TEMPO 1620/1622 1500', '2026-09-16T20:00:00.000Z', '2026-09-16T22:00:00.000Z'],
    ]);
  });

  test('A group that gives only wind keeps CAVOK, and one that gives only clouds keeps the visibility', () => {
    const base = 'TAF EDDF 161100Z 1612/1718 24008KT CAVOK BECMG 1612/1613';
    expect(at(`${base} 30020KT`, '16T14:00').prevailing.cavok).toBe(true);
    const clouded = at(`${base} BKN008`, '16T14:00').prevailing;
    expect([clouded.cavok, clouded.visibility?.metres, categoryOf(clouded)]).toEqual([false, 9_999, 'IFR']);
  });

  test.each([
    ['before the validity', fromGroups, '16T11:59', 'BEFORE_VALIDITY'],
    ['at its end', fromGroups, '17T18:00', 'AFTER_VALIDITY'],
    ['cancelled', 'TAF AMD EDDF 161100Z 1612/1718 CNL', '16T14:00', 'CANCELLED'],
    ['not a forecast', 'hello', '16T14:00', 'NOT_READABLE'],
  ])('For %s the reason for having no forecast is given', (_, text, time, reason) => {
    expect(tafAt(text, `2026-09-${time}:00Z`)).toMatchObject({ reason });
  });

  test('A period without its change indicator is not merged into the previous group, and later times are not read', () => {
    const text =
      'TAF EDDF 161100Z 1612/1718 24008KT 9999 SCT030 PROB40 1614/1618 4000 BR 1618/1706 0300 FZFG VV002 FM170600 24010KT CAVOK TX21/1715Z';
    const read = at(text, '16T15:00');
    expect(read.prevailing.visibility?.metres).toBe(9_999);
    expect(read.changes).toMatchObject([
      { kind: 'PROB', conditions: { visibility: { metres: 4_000 }, verticalVisibilityFt: null } },
    ]);
    expect(read.report.undecoded).toEqual(['1618/1706', '0300', 'FZFG', 'VV002']);
    for (const time of ['16T18:00', '17T05:59'])
      expect(tafAt(text, `2026-09-${time}:00Z`)).toMatchObject({
        reason: 'NOT_READABLE',
        validFrom: '2026-09-16T12:00:00.000Z',
      });
    expect(at(text, '17T06:00')).toMatchObject({ prevailing: { cavok: true }, temperatureC: 21 });
    const twice = 'TAF EDDF 161100Z 1612/1718 24008KT CAVOK TEMPO 1614/1616 1620/1622 3000 RA';
    expect(at(twice, '16T15:00').changes).toMatchObject([{ kind: 'TEMPO', conditions: { weather: [] } }]);
    expect(tafAt(twice, '2026-09-16T20:30:00Z')).toMatchObject({ reason: 'NOT_READABLE' });
  });

  test('A forecast may cross the end of a month and of a year', () => {
    const text = 'TAF LSZH 312325Z 0100/0206 00000KT 0300 FG VV001 BECMG 0109/0111 9999 NSW NSC';
    const read = tafAt(text, '2027-01-01T12:00:00Z', '2026-12-31T23:25:00.000Z');
    expect(read).toMatchObject({
      prevailing: { visibility: { metres: 9_999 }, noCloud: 'NSC', verticalVisibilityFt: null },
    });
  });
});

test.each([
  // Every three hours from the beginning of the validity.
  ['16T12:00', 18, 1_016],
  ['16T13:30', 22, 1_013],
  ['16T18:00', 21, 1_010],
  ['16T20:00', 21, 1_010],
  ['16T21:00', 17, 1_012],
  ['17T06:00', 22, 1_010],
])(
  'The T and Q groups of an Australian TAF give temperature and pressure at %s, the worse of the adjacent ones',
  (time, c, hPa) => {
    const text =
      'TAF YSSY 161108Z 1612/1718 24008KT CAVOK FM170200 04012KT CAVOK RMK T 18 22 21 17 Q 1016 1013 1010 1012';
    expect(tafAt(text, `2026-09-${time}:00.000Z`)).toMatchObject({ temperatureC: c, qnhHpa: hPa });
    const cold = text.replace('18 22 21 17', 'M02 M01 00 M03').replace(' Q 1016 1013 1010 1012', '');
    expect(tafAt(cold, '2026-09-16T12:00:00.000Z')).toMatchObject({ temperatureC: -2, qnhHpa: null });
  },
);

import { describe, expect, test } from 'vitest';
import { inForceAt, scheduleAt } from './schedule-at.ts';
import { parseSchedule } from './schedule.ts';

const berlin = { latitudeDeg: 52.52, longitudeDeg: 13.4 };
const at = (raw: string, utc: string, monthsKnown = true) => {
  const schedule = parseSchedule(raw);
  if (!schedule) return 'not read';
  return scheduleAt(schedule, Date.parse(`${utc}Z`), { position: berlin, monthsKnown });
};

describe('item D schedules', () => {
  test.each([
    ['2300-0600', '2026-02-10T23:30', 'active'],
    ['2300-0600', '2026-02-10T05:59', 'active'],
    ['2300-0600', '2026-02-10T06:00', 'inactive'],
    ['DAILY 0800-1800', '2026-02-10T08:00', 'active'],
    ['Daily 11:00-13:00', '2026-02-10T12:00', 'active'],
    ['Daily:1100-0001~DLY 1100-0001', '2026-02-10T23:59', 'active'],
    ['DAILY 2200-0200, 0330-0500', '2026-02-10T04:00', 'active'],
    ['MON-FRI 0700-1600', '2026-02-06T15:59', 'active'],
    ['MON-FRI 0700-1600', '2026-02-07T10:00', 'inactive'],
    ['SUN-THU 2230-0430', '2026-02-06T04:00', 'active'],
    ['SUN-THU 2230-0430', '2026-02-07T04:00', 'inactive'],
    ['SUN-THU 2230-0430, MON-FRI 1000-1100', '2026-02-06T10:30', 'active'],
    ['09 10 0630-1600, 11 0630-13 1600', '2026-02-12T02:00', 'active'],
    ['09 10 0630-1600, 11 0630-13 1600', '2026-02-13T16:00', 'inactive'],
    ['09 10 0630-1600, 11 0630-13 1600', '2026-02-10T16:30', 'inactive'],
    ['31 1400 - 01 1630', '2026-02-01T16:00', 'active'],
    ['JAN 31 1400-FEB 01 1630', '2026-02-01T16:00', 'active'],
    ['MON 0800-FRI 1600', '2026-02-04T03:00', 'active'],
    ['MON 0800-FRI 1600', '2026-02-07T03:00', 'inactive'],
    ['FEB 09 10 2200-0500', '2026-02-11T04:00', 'active'],
    ['FEB 09 10 2200-0500', '2026-03-10T23:00', 'inactive'],
    ['FEB 05-MAR 27 2230-0600', '2026-03-01T23:00', 'active'],
    ['JAN 05 12 19 FEB 02', '2026-02-02T12:00', 'active'],
    ['JAN 05 12 19 FEB 02', '2026-02-05T12:00', 'inactive'],
    ['EVERY MON 0700-1200', '2026-02-09T08:00', 'active'],
    ['H24', '2026-02-09T08:00', 'active'],
    ['0001-2359', '2026-02-09T23:59', 'active'],
    ['MON TUE FRI 0800-1600, WED THU 0800-2200', '2026-02-04T21:00', 'active'],
    ['MON-FRI 0700-1600 EXC FEB 09', '2026-02-09T08:00', 'inactive'],
    ['MON-FRI 0700-1600 EXC FEB 09', '2026-02-10T08:00', 'active'],
    ['DAILY 0700-1600 EXC 25 DEC 01 JAN', '2026-12-25T08:00', 'inactive'],
    ['DAILY 0700-1600 EXC 25 DEC 01 JAN', '2027-01-01T08:00', 'inactive'],
    ['DAILY 0700-1600 EXC 25 DEC 01 JAN', '2026-12-26T08:00', 'active'],
    ['25 DEC 01 02 JAN 0700-1600', '2027-01-02T08:00', 'active'],
    ['25 DEC 01 02 JAN 0700-1600', '2026-12-24T08:00', 'inactive'],
    ['SR-SS', '2026-06-21T12:00', 'active'],
    ['SR-SS', '2026-06-21T23:00', 'inactive'],
    ['SS PLUS30-SR MINUS30', '2026-06-21T23:00', 'active'],
    ['SR MINUS30-SS PLUS30', '2026-12-21T07:00', 'active'],
    ['HN', '2026-12-21T02:00', 'active'],
    ['DAILY 0800-SS', '2026-12-21T15:30', 'inactive'],
    ['1410/2030', '2026-02-10T20:29', 'active'],
    ['1410/2030', '2026-02-10T14:09', 'inactive'],
    ['SEP 21, OCT 12 19 DAILY 0515-1015', '2026-09-21T06:00', 'active'],
    ['SEP 21, OCT 12 19 DAILY 0515-1015', '2026-10-19T10:14', 'active'],
    ['SEP 21, OCT 12 19 DAILY 0515-1015', '2026-09-21T12:00', 'inactive'],
    ['SEP 21, OCT 12 19 DAILY 0515-1015', '2026-10-13T06:00', 'inactive'],
    ['18-19 DAILY 0500-1530, 20-21 DAILY 0600-1200 1300-1400', '2026-02-19T15:00', 'active'],
    ['18-19 DAILY 0500-1530, 20-21 DAILY 0600-1200 1300-1400', '2026-02-20T13:30', 'active'],
    ['18-19 DAILY 0500-1530, 20-21 DAILY 0600-1200 1300-1400', '2026-02-21T15:00', 'inactive'],
    ['1600-2200 DLY', '2026-02-10T17:00', 'active'],
    ['0800-1000 MON-FRI', '2026-02-07T09:00', 'inactive'],
    ['0800-1000 MON-FRI', '2026-02-06T12:00', 'inactive'],
    ['MON, TUE 0800-1000', '2026-02-09T12:00', 'inactive'],
    ['SS PLUS30-SR MINUS30 EXC FEB 28, FEB 28 SS PLUS30-0000', '2026-02-20T23:00', 'active'],
    ['DLY BTN 1200-1400', '2026-02-10T13:59', 'active'],
    ['DLY BTN 1200-1400', '2026-02-10T14:00', 'inactive'],
    ['BTN 1200 AND 1400', '2026-02-10T12:00', 'active'],
    ['2602101545 TO 2602101915 2602110100 TO 2602110400', '2026-02-10T19:14', 'active'],
    ['2602101545 TO 2602101915 2602110100 TO 2602110400', '2026-02-10T19:15', 'inactive'],
    ['2602101545 TO 2602101915 2602110100 TO 2602110400', '2026-02-11T01:00', 'active'],
    ['2602101545 TO 2602101915 2602110100 TO 2602110400', '2026-02-12T02:00', 'inactive'],
    ['1800-2200 ON FEB 6 8 AND 10', '2026-02-08T21:59', 'active'],
    ['1800-2200 ON FEB 6 8 AND 10', '2026-02-07T20:00', 'inactive'],
    ['0400-0630,0700-0722 ON 6,0050-0255,2315-0125(NEXT DAY) ON 7', '2026-02-06T07:10', 'active'],
    ['0400-0630,0700-0722 ON 6,0050-0255,2315-0125(NEXT DAY) ON 7', '2026-02-07T05:00', 'inactive'],
    ['0400-0630,0700-0722 ON 6,0050-0255,2315-0125(NEXT DAY) ON 7', '2026-02-08T01:24', 'active'],
    ['0400-0630,0700-0722 ON 6,0050-0255,2315-0125(NEXT DAY) ON 7', '2026-02-08T02:00', 'inactive'],
    ['26 MAR - 30 APR 0215-1030', '2026-04-01T10:29', 'active'],
    ['26 MAR - 30 APR 0215-1030', '2026-05-01T03:00', 'inactive'],
    ['20 APR 1319-1428, 21 APR 1314-1424', '2026-04-21T14:25', 'inactive'],
    ['20 APR 1319-1428, 21 APR 1314-1424', '2026-04-20T14:25', 'active'],
    ['21 ABR 0100-0300,22 ABR 0200-0400', '2026-04-22T03:30', 'active'],
    ['EV FRI AND SAT BTN 0600-1200', '2026-02-06T06:00', 'active'],
    ['MON TO FRI BTN 1530/1730', '2026-02-07T16:00', 'inactive'],
    ['2200-1000 (NEXT DAY)DLY', '2026-02-07T09:59', 'active'],
    ['OCT 07 - NOV 02 1500-2330 DLY, NOV 03 - NOV 29 1600-0030 DLY', '2026-11-04T00:29', 'active'],
    ['OCT 07 - NOV 02 1500-2330 DLY, NOV 03 - NOV 29 1600-0030 DLY', '2026-11-02T23:45', 'inactive'],
    ['APR 19-26 30 MAY 1-3 7-9 1100-2300', '2026-05-07T12:00', 'active'],
    ['APR 19-26 30 MAY 1-3 7-9 1100-2300', '2026-04-28T12:00', 'inactive'],
    ['MAY 01 0600-JUN 30 1800', '2026-05-20T12:00', 'active'],
    ['MAY 01 0600-JUN 30 1800', '2026-06-02T12:00', 'active'],
    ['MAY 01 0600-JUN 30 1800', '2026-06-30T17:59', 'active'],
    ['MAY 01 0600-JUN 30 1800', '2026-06-30T18:00', 'inactive'],
    ['MAY 01 0600-JUN 30 1800', '2026-05-01T05:59', 'inactive'],
    ['01 MAY 0600-30 JUN 1800', '2026-06-02T12:00', 'active'],
    ['NOV 20 0000-MAR 10 1200', '2027-03-09T12:00', 'active'],
    ['NOV 20 0000-MAR 10 1200', '2027-03-10T12:00', 'inactive'],
    ['JAN 01 0000-DEC 31 2300', '2026-12-31T22:59', 'active'],
    ['FEB 29 0600-APR 30 1800', '2028-04-15T12:00', 'active'],
    ['FEB 01 0600-FEB 29 1800', '2027-02-10T12:00', 'unknown'],
    ['MAY 10 1800-MAY 10 0600', '2026-05-10T20:00', 'unknown'],
    ['JAN 31 1400-01 1630', '2026-02-01T16:00', 'active'],
    ['JAN 31 1400-01 1630', '2026-02-02T16:00', 'inactive'],
    ['JAN 31 1400-01 1630, 04 0600-1800', '2026-02-04T12:00', 'active'],
    ['JAN 30-02 0600-1800', '2026-02-02T12:00', 'active'],
    ['JAN 30-02 0600-1800', '2026-02-03T12:00', 'inactive'],
  ])('%s at %s is %s', (raw, utc, expected) => expect(at(raw, utc)).toBe(expected));

  test.each([
    'AFTER LAST FLIGHT',
    'DAILY 1000-100',
    '2500-2600',
    'MON 0800-1000, 1200-1300',
    'MON-FRI 0800-1000 EXC FEB 09, FEB 10',
    'BTN 2000-2400 AND 0001-0100 (NEXT DAY) DLY',
    'FRI SAT 0600-1200 EXC APR 10 0600-1300',
    '26 MAR 30 APR 2 0215-1030',
    '05 JAN 12 FEB 02 0800-1000',
    '2602101915 TO 2602101545',
    '1230-1330 AND 1130-1230 DURING DAYLIGHT SAVINGS',
    '',
  ])('A schedule that cannot be read is flagged: "%s"', (raw) => expect(parseSchedule(raw)).toBeNull());

  test('An exception for traffic other than airliners is noted and not applied', () => {
    const schedule = parseSchedule('DLY 0300-1500 EXC LIFE FLT 1HR PPR');
    expect(schedule?.periods).toHaveLength(1);
    expect(schedule?.notes).toEqual(['exception not applied: "LIFE FLT 1HR PPR"']);
  });

  test('Holidays are recorded and not guessed', () => {
    expect(parseSchedule('MON-FRI 0700-1600 EXC HOL')?.notes).toHaveLength(1);
  });

  test('A day number without a month is unknown during a long validity', () => {
    expect(at('09 10 0630-1600', '2026-02-09T08:00', false)).toBe('unknown');
    expect(at('JAN 30-02 0600-1800', '2026-02-09T08:00', false)).toBe('unknown');
    expect(at('JAN 31 1400-01 1630', '2026-02-09T08:00', false)).toBe('unknown');
  });

  test('Without a position sunrise and sunset are unknown, and in polar day there is no sunset', () => {
    const schedule = parseSchedule('SR-SS');
    if (!schedule) throw new Error('not read');
    const noon = Date.parse('2026-06-21T12:00Z');
    expect(scheduleAt(schedule, noon, { position: null, monthsKnown: true })).toBe('unknown');
    const svalbard = { latitudeDeg: 78.2, longitudeDeg: 15.5 };
    expect(scheduleAt(schedule, noon, { position: svalbard, monthsKnown: true })).toBe('unknown');
  });

  test('Periods from sunrise or sunset may cross midnight UTC', () => {
    const schedule = parseSchedule('SR-SS');
    if (!schedule) throw new Error('not read');
    const losAngeles = { latitudeDeg: 33.94, longitudeDeg: -118.4 };
    const state = (utc: string, position: typeof losAngeles) =>
      scheduleAt(schedule, Date.parse(utc), { position, monthsKnown: true });
    expect(state('2026-06-22T02:30Z', losAngeles)).toBe('active');
    expect(state('2026-06-22T04:00Z', losAngeles)).toBe('inactive');
    const sydney = { latitudeDeg: -33.95, longitudeDeg: 151.18 };
    expect(state('2026-06-20T22:00Z', sydney)).toBe('active');
    expect(state('2026-06-20T12:00Z', sydney)).toBe('inactive');
  });
});

describe('in force', () => {
  const base = {
    type: 'N' as const,
    fromUtc: '2026-02-01T00:00:00.000Z',
    toUtc: '2026-02-10T12:00:00.000Z',
    isEstimated: false,
    scheduleRaw: null,
    schedule: null,
    position: berlin,
  };
  test('The validity includes its start and excludes its end', () => {
    expect(inForceAt(base, new Date('2026-01-31T23:59:59Z'))).toBe('inactive');
    expect(inForceAt(base, new Date('2026-02-01T00:00:00Z'))).toBe('active');
    expect(inForceAt(base, new Date('2026-02-10T12:00:00Z'))).toBe('inactive');
    expect(inForceAt({ ...base, toUtc: null }, new Date('2030-01-01T00:00:00Z'))).toBe('active');
  });
  test('A NOTAM is possibly in force when its schedule was not understood, or when its estimated end has passed', () => {
    expect(inForceAt({ ...base, scheduleRaw: 'AFTER LAST FLIGHT' }, new Date('2026-02-05T00:00:00Z'))).toBe(
      'unknown',
    );
    expect(inForceAt({ ...base, isEstimated: true }, new Date('2026-02-11T00:00:00Z'))).toBe('unknown');
    expect(inForceAt({ ...base, isEstimated: true }, new Date('2026-04-11T00:00:00Z'))).toBe('inactive');
  });
});

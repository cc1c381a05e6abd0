import { describe, expect, test } from 'vitest';
import { normalizedOfpSchema } from '#domain/ofp/schema.ts';
import type { NormalizedOfp } from '#domain/ofp/schema.ts';
import { ofpFactsSchema } from '#domain/ofp/summary.ts';
import { waypointSchema } from '#domain/winds/wind-aloft.ts';
import { longHaul, planDocument, planText } from '#test/support/ofp.ts';
import { parseDocument } from './parse.ts';
import type { ParsedPlan } from './parse.ts';

const parse = (content: string | Uint8Array, keepNotams = true): ParsedPlan => {
  const parsed = parseDocument({ content, keepNotams });
  if (parsed.kind !== 'plan') throw new Error(parsed.problem);
  return parsed;
};
const normalized = (content: string | Uint8Array): NormalizedOfp =>
  JSON.parse(parse(content).normalized) as NormalizedOfp;
const problemOf = (content: string | Uint8Array): string | null => {
  const parsed = parseDocument({ content, keepNotams: true });
  return parsed.kind === 'plan' ? null : parsed.problem;
};

/** A plan with these members replaced, by path. */
const changed = (changes: Readonly<Record<string, unknown>>, options = {}): string => {
  const document = planDocument(options);
  for (const [path, value] of Object.entries(changes)) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let at = document as Record<string, unknown>;
    for (const name of names) at = (at[name] ??= {}) as Record<string, unknown>;
    if (value === undefined) delete at[last];
    else at[last] = value;
  }
  return JSON.stringify(document);
};
const warningsOf = (content: string) => parse(content).warnings.map(({ code, path }) => `${code} ${path}`);

describe('formats of a plan', () => {
  test.each([
    ['a short flight in lbs', {}],
    ['a long flight in kgs with ETOPS and two alternates', longHaul],
    ['no alternate, no report, cruise by Mach', { alternates: [], hasTlr: false, costIndex: '' }],
    ['a navigation log of one fix', { fixes: 1 }],
    ['no navigation log', { fixes: 0 }],
  ])('JSON, JSON v2 and XML yield the same plan: %s (G-06)', (_name, options) => {
    const [old, current, xml] = (['json=1', 'json=v2', 'xml'] as const).map((format) =>
      parse(planText(options, format)),
    );
    expect(JSON.parse(old?.normalized ?? '')).toEqual(JSON.parse(xml?.normalized ?? ''));
    expect(JSON.parse(old?.normalized ?? '')).toEqual(JSON.parse(current?.normalized ?? ''));
    const identity = (plan: typeof old) => [
      plan?.requestId,
      plan?.sequenceId,
      plan?.staticId,
      plan?.generatedAt,
    ];
    expect([identity(old), old?.facts]).toEqual([identity(xml), xml?.facts]);
    expect([old?.format, current?.format, xml?.format]).toEqual(['json', 'json', 'xml']);
    normalizedOfpSchema.parse(JSON.parse(old?.normalized ?? ''));
    ofpFactsSchema.parse(old?.facts);
  });

  test('The summary has the plan’s values, absent ones as null (G-06)', () => {
    expect(parse(planText()).facts).toMatchObject({
      callsign: 'SYN123',
      airline: 'SYN',
      flightNumber: '123',
      aircraftIcao: 'B738',
      registration: 'N0SYN',
      origin: { icao: 'KBOS', iata: 'BOS', runway: '04R' },
      destination: { icao: 'KJFK', iata: 'JFK', name: 'KJFK SYNTHETIC', runway: '04L' },
      alternates: [{ icao: 'KBDL', runway: '06' }],
      cruiseAltitude: 23_000,
      costIndex: 30,
      estimatedOut: '2026-09-16T14:00:00Z',
      estimatedOff: '2026-09-16T14:20:00Z',
      units: 'lbs',
      fuel: { trip: 6_400, landing: 1_920 },
      weights: { zfw: 117_800, pax: 118, maxLdw: 146_300 },
      hasNavlog: true,
      hasTlr: true,
      isEtops: false,
    });
    const mach = parse(planText({ costIndex: '', hasTlr: false, fixes: 0, alternates: [] }));
    expect(mach.facts).toMatchObject({ costIndex: null, hasTlr: false, hasNavlog: false, alternates: [] });
    expect(mach.warnings.map(({ code }) => code)).toEqual(['NO_NAVLOG']);
  });

  test('A navigation log is accepted by windAloft, with times from takeoff', () => {
    const { navlog, fixes } = normalized(planText());
    expect(navlog).toHaveLength(8);
    for (const waypoint of navlog) expect(waypointSchema.parse(waypoint)).toEqual(waypoint);
    expect(navlog[0]).toMatchObject({ name: 'SYN00', cruiseLevel: 115 });
    expect(fixes[0]?.totalSeconds).toBe(fixes[0]?.legSeconds);
    expect(Date.parse(navlog[0]?.eto ?? '')).toBe(
      Date.parse('2026-09-16T14:20:00Z') + (fixes[0]?.totalSeconds ?? 0) * 1_000,
    );
  });

  test('Landing distances, alternates, the ETOPS segment, winds by level, fuel buckets, NOTAM and files are read', () => {
    const ofp = normalized(planText(longHaul));
    expect(ofp.landing?.distanceWet).toEqual({
      weight: 201_849,
      flap: '30',
      brakes: 'MAX MAN',
      hasReverserCredit: true,
      vrefKt: 141,
      actualFt: 4_400,
      factoredFt: 6_160,
    });
    expect(ofp.landing?.distanceDry?.actualFt).toBe(3_200);
    expect(ofp.takeoffAlternates?.map(({ icao }) => icao)).toEqual(['EGLL']);
    expect(ofp.enrouteAlternates?.map(({ icao }) => icao)).toEqual(['KBOS', 'KBDL']);
    expect(ofp.etops).toMatchObject({
      ruleMinutes: 120,
      entry: { airport: 'EGLL', latitude: 50.5, longitude: -30.25, diversions: [] },
      exit: { airport: 'KJFK' },
      equalTimePoints: [
        {
          airport: null,
          criticalFuel: 17_600,
          condition: '1E FL100',
          diversions: [{ icao: 'EGLL', distanceNm: 420 }, { icao: 'KJFK' }],
        },
      ],
      criticalPoint: { criticalFuel: 17_600 },
      airports: [{ icao: 'KBOS', suitableFrom: '2026-09-16T16:00:00Z' }, { icao: 'KBDL' }],
    });
    expect(ofp.fixes[0]?.winds).toEqual([
      { altitudeFt: 30_000, windDirectionDeg: 265, windKt: 30, temperatureC: -40 },
    ]);
    expect(ofp.fuelBuckets?.[0]).toEqual({ name: 'ATC', fuel: 880, time: '0010', isRequired: true });
    expect(ofp.notams?.[0]).toMatchObject({
      id: 'S0/26',
      location: 'EGLL',
      text: expect.stringMatching(/^SYNTHETIC EGLL/) as string,
      qCode: 'QMXLC',
      from: '2026-09-01T06:00:00Z',
      to: null,
      isEstimated: false,
    });
    const keys = ofp.notams?.map(({ id, location }) => `${location} ${id}`) ?? [];
    expect(new Set(keys).size).toBe(keys.length);
    expect(ofp.files?.map(({ kind, format, url }) => [kind, format, url])).toEqual([
      ['document', 'pdf', 'https://planner.example/files/184000002.pdf'],
      ['document', 'txt', 'https://planner.example/files/184000002.txt'],
      ['fms', 'abx', 'https://planner.example/files/184000002.flp'],
      ['image', 'png', 'https://planner.example/files/184000002.png'],
    ]);
  });

  test('A plan without these parts is read without them, NOTAM are omitted on request, and a file has a URL or null', () => {
    const bare = normalized(planText({ hasTlr: false }));
    expect([bare.landing, bare.etops]).toEqual([null, null]);
    expect([bare.takeoffAlternates, bare.enrouteAlternates]).toEqual([[], []]);
    const without = JSON.parse(parse(planText(), false).normalized) as NormalizedOfp;
    expect([without.notams, without.origin.notamCount > 0]).toEqual([[], true]);
    const script = { directory: 'javascript:', file: { name: 'x', link: 'javascript:alert(1)' } };
    expect(normalized(changed({ files: script, images: {}, fms_downloads: {} })).files).toEqual([
      { kind: 'document', format: null, name: 'x', url: null },
    ]);
  });

  test.each([
    ['in the airport', { 'destination.metar': 'KJFK 160251Z 03012KT 10SM 18/12 A3002' }],
    [
      'in the block of reports',
      { 'destination.metar': {}, 'weather.dest_metar': 'KJFK 160251Z 03012KT 10SM 18/12 A3002' },
    ],
    [
      'under another name',
      { 'destination.metar': {}, 'wx.arr_metar': 'KJFK 160251Z 03012KT 10SM 18/12 A3002' },
    ],
    ['with its time', { 'destination.metar_time': '2026-09-16T02:51:00Z' }],
  ])('A report %s has its time and age', (_, changes) => {
    expect(normalized(changed(changes)).destination).toMatchObject({
      metar: expect.stringMatching(/^KJFK 16/) as string,
      metarTime: '2026-09-16T02:51:00Z',
      metarAgeMinutes: 429,
    });
  });

  const xml = planText({}, 'xml');
  test.each<[string, string | Uint8Array]>([
    ['a byte order mark before JSON', `\uFEFF${planText()}`],
    ['a byte order mark before XML', `\uFEFF${xml}`],
    ['UTF-16', Buffer.from(`\uFEFF${xml.replace('UTF-8', 'UTF-16')}`, 'utf16le')],
    ['Latin 1', Buffer.from(xml.replace('UTF-8', 'ISO-8859-1'), 'latin1')],
    ['attributes', xml.replaceAll('<fix>', '<fix id="1" kind=\'x\'>').replace('<OFP>', '<OFP version="2">')],
    ['CDATA', xml.replace('<icao_code>KJFK</icao_code>', '<icao_code><![CDATA[KJFK]]></icao_code>')],
    ['a control character', xml.replace('SYNTHETIC PLAN', 'SYNTHETIC PLAN\f')],
    ['a document type in CDATA', xml.replace('<OFP>', '<OFP><memo><![CDATA[<!DOCTYPE html>&nbsp;]]></memo>')],
    ['an element named like a prototype', xml.replace('<OFP>', '<OFP><__proto__><a>1</a></__proto__>')],
    ['comments and a processing instruction', xml.replace('<OFP>', '<!-- x --><?y z?><OFP><!-- <a> -->')],
    ['no declaration', xml.replace(/^<\?xml[^>]*>\n/, '')],
    ['a root element in JSON', JSON.stringify({ OFP: planDocument() })],
    [
      'the answer of ofpGet around it',
      JSON.stringify({ success: true, ofp: { origin: {} }, original: planDocument() }),
    ],
    ['another root element', xml.replaceAll('OFP>', 'Acars>').replace('<Acars>', '<Acars Type="x">')],
    ['JSON in a JSON text', JSON.stringify(planText())],
    ['a comma after the last entry', `${planText().slice(0, -1)},}`],
    ['white space around', `\n\n  ${planText()}\n`],
  ])('A document with %s is read', (_name, content) => {
    expect(normalized(content)).toEqual(normalized(planText()));
  });

  test('Errors inside texts are repaired: bare ampersands in XML, line breaks in JSON', () => {
    const ampersand = xml.replace('SYNTHETIC PLAN', 'A & B &amp; C &#65; &deg;&x;');
    expect(normalized(ampersand).general.dispatchRemarks[0]).toBe('A & B & C A °&x;');
    const lines = planText().replace('SYNTHETIC PLAN', 'ONE\nTWO\tTHREE');
    expect(normalized(lines).general.dispatchRemarks[0]).toBe('ONE\nTWO\tTHREE');
    const { text } = JSON.parse(parse(ampersand).original) as { text: { plan_html: string } };
    expect(text.plan_html).toContain('<b>OFP & KBOS</b>');
  });

  test('Only NOTAM are omitted from the document on request', () => {
    const full = JSON.parse(parse(planText({ notamCharacters: 2_000 })).original) as Record<string, object>;
    const short = parse(planText({ notamCharacters: 2_000 }), false);
    const document = JSON.parse(short.original) as Record<string, object>;
    expect(full['notams']).toBeDefined();
    expect(Object.keys(document)).toEqual(Object.keys(full).filter((name) => name !== 'notams'));
    expect(document['origin']).toEqual({ ...full['origin'], notam: undefined });
    const kept = parse(planText({ notamCharacters: 2_000 }));
    expect([short.contentHash, short.hasNotams]).toEqual([kept.contentHash, false]);
    expect([kept.hasNotams, parse(short.original).hasNotams]).toEqual([true, false]);
  });
});

describe('documents that are not plans', () => {
  test.each([
    ['', 'empty'],
    ['   ', 'empty'],
    ['{"a":1}', 'no origin'],
    ['[]', 'not an object'],
    ['1', 'not an object'],
    ['{"origin":', 'not complete JSON'],
    [planText().slice(0, -200), 'not complete JSON'],
    [planText({}, 'xml').slice(0, -200), 'not complete XML'],
    ['<OFP></OFP>', 'no origin'],
    ['<!DOCTYPE html><html></html>', 'web page'],
    ['<!DOCTYPE a [<!ENTITY b "c"><!ENTITY d "&b;&b;">]><OFP>&d;</OFP>', 'document type'],
    [`${'<a>'.repeat(100)}${'</a>'.repeat(100)}`, 'nested'],
    [`{"origin":${'['.repeat(70)}${']'.repeat(70)}}`, 'nested'],
    [`<OFP>${'<a/>'.repeat(500_000)}</OFP>`, 'values'],
    [`<OFP ${Array.from({ length: 200_001 }, (_, i) => `a${i}=""`).join(' ')}/>`, 'no origin'],
    [`<OFP>\n\n<a>${'&'.repeat(4_000_000)}</a></OFP>`, 'no origin'],
    [`<OFP>${'\u0001'.repeat(1_000_000)}</OFP>`, 'no origin'],
    [`<OFP>${'<'.repeat(1_000_000)}</OFP>`, 'values'],
    [`<OFP><![CDATA[${'<!--'.repeat(10)}</OFP>`, 'not complete XML: CDATA is not closed'],
    ['<OFP><!-- <a> </OFP>', 'not complete XML: Comment is not closed'],
    ['<OFP><origin><icao_code>KJFK</icao_code></origin>', 'not complete XML: OFP is not closed'],
    [`{"a":[${'0,'.repeat(200_001)}0]}`, 'values'],
    [JSON.stringify({ origin: {}, destination: {} }), 'no origin'],
  ])('%.40s is refused with the reason (G-06)', (content, problem) => {
    expect(problemOf(content)).toContain(problem);
  });

  test('A message from SimBrief in place of a plan is returned, in every format', () => {
    for (const content of [
      '{"fetch":{"status":"Error: Unknown UserID"}}',
      '<?xml version="1.0"?><OFP><fetch><status>Error: Unknown UserID</status></fetch></OFP>',
    ])
      expect(parseDocument({ content, keepNotams: true })).toMatchObject({ status: 'Error: Unknown UserID' });
  });
});

describe('values from several planner versions', () => {
  test.each<[string, Record<string, unknown>, (ofp: NormalizedOfp) => unknown, unknown]>([
    ['an empty object for a text', { 'origin.name': {} }, (ofp) => ofp.origin.name, null],
    ['an empty list for a text', { 'general.route': [] }, (ofp) => ofp.general.route !== null, true],
    ['numbers instead of texts', { 'weights.est_zfw': 117_800.4 }, (ofp) => ofp.weights.zfw, 117_800.4],
    ['thousands separators', { 'weights.est_zfw': '117,800' }, (ofp) => ofp.weights.zfw, 117_800],
    ['units behind numbers', { 'weights.est_zfw': '117800 LBS' }, (ofp) => ofp.weights.zfw, 117_800],
    ['text in a member', { 'origin.icao_code': { '#text': 'kbos' } }, (ofp) => ofp.origin.icao, 'KBOS'],
    [
      'blocks as lists',
      { origin: [{ icao_code: 'KBOS' }], times: [null, { taxi_out: 60 }] },
      (ofp) => [ofp.origin.icao, ofp.times.taxiOutSeconds],
      ['KBOS', 60],
    ],
    ['PHP attributes', { 'origin.name': { '@attributes': {}, 0: 'X' } }, (ofp) => ofp.origin.name, 'X'],
    ['a list for a text', { 'origin.name': ['A', 'B'] }, (ofp) => ofp.origin.name, 'A'],
    ['remarks as a text', { 'general.dx_rmk': 'ONE' }, (ofp) => ofp.general.dispatchRemarks, ['ONE']],
    [
      'remarks as an object',
      { 'general.dx_rmk': { 0: 'A', 1: 'B' } },
      (ofp) => ofp.general.dispatchRemarks.length,
      2,
    ],
    ['no alternate', { alternate: {} }, (ofp) => ofp.alternates, []],
    ['an absent alternate', { alternate: undefined }, (ofp) => ofp.alternates, []],
    ['an alternate of empty values', { alternate: { icao_code: {}, name: '' } }, (ofp) => ofp.alternates, []],
    ['an alternate as null', { alternate: null }, (ofp) => ofp.alternates, []],
    ['capital units', { 'params.units': 'KGS' }, (ofp) => ofp.general.units, 'kgs'],
    ['booleans', { 'general.is_etops': true }, (ofp) => ofp.general.isEtops, true],
    ['only icaocode', { 'aircraft.icao_code': undefined }, (ofp) => ofp.aircraft.icao, 'B738'],
    [
      'unicode names',
      { 'origin.name': 'São Paulo ✈ 東京 🛬' },
      (ofp) => ofp.origin.name,
      'São Paulo ✈ 東京 🛬',
    ],
    ['half a surrogate pair', { 'origin.name': 'a\ud83d' }, (ofp) => ofp.origin.name, 'a\ufffd'],
    ['a NUL character', { 'origin.name': 'a\0b' }, (ofp) => ofp.origin.name, 'ab'],
    [
      'a fix list as navlog',
      { navlog: [{ ident: 'A', pos_lat: 1, pos_long: 2 }] },
      (ofp) => ofp.navlog.length,
      1,
    ],
    ['durations as a clock', { 'times.taxi_out': '0:20' }, (ofp) => ofp.times.taxiOutSeconds, 1_200],
    [
      'times as ISO 8601',
      { 'times.est_out': '2026-09-16T14:00:00Z' },
      (ofp) => ofp.times.estimated.out,
      '2026-09-16T14:00:00Z',
    ],
    [
      'times in milliseconds',
      { 'times.est_out': 1_789_567_200_000 },
      (ofp) => ofp.times.estimated.out,
      '2026-09-16T14:00:00Z',
    ],
    [
      'a clock with a sign',
      { 'impacts.minus_2000ft.time_difference': '-00:01:15' },
      (ofp) => ofp.impacts[0]?.timeSeconds,
      -75,
    ],
    [
      'minus as a letter',
      { 'general.avg_wind_comp': 'M049' },
      (ofp) => ofp.general.averageWindComponentKt,
      -49,
    ],
    [
      'plus as a letter',
      { 'general.avg_temp_dev': 'P11' },
      (ofp) => ofp.general.averageTemperatureDeviationC,
      11,
    ],
    ['negative zero', { 'general.avg_wind_comp': '-0' }, (ofp) => ofp.general.averageWindComponentKt, 0],
    ['a time of zero', { 'times.est_out': '0' }, (ofp) => ofp.times.estimated.out, null],
    ['placeholders', { 'general.costindex': 'N/A' }, (ofp) => ofp.general.costIndex, null],
    ['an airport only in the request', { 'origin.icao_code': {} }, (ofp) => ofp.origin.icao, 'KBOS'],
    ['a report as text', { 'tlr.landing': 'none' }, (ofp) => ofp.landing?.runways, []],
    [
      'blocks of the wrong kind',
      { fuel: 'x', weights: [], times: 7, tlr: null },
      (ofp) => ofp.weights.zfw,
      null,
    ],
  ])('The value %s is read without refusal (G-06)', (_name, changes, read, expected) => {
    expect(read(normalized(changed(changes)))).toEqual(expected);
  });

  test.each<[Record<string, unknown>, string[]]>([
    [{ 'weights.est_zfw': 'heavy' }, ['NOT_A_NUMBER weights.est_zfw']],
    [{ 'weights.est_zfw': '-5' }, ['OUT_OF_RANGE weights.est_zfw']],
    [{ 'weights.est_zfw': '1e308' }, ['OUT_OF_RANGE weights.est_zfw']],
    [{ 'times.est_off': '99999999999999999' }, ['NOT_A_TIME times.est_off']],
    [{ 'general.initial_altitude': '9999999' }, ['OUT_OF_RANGE general.initial_altitude']],
    [{ 'params.units': 'stone' }, ['UNITS_UNKNOWN params.units']],
    [{ 'general.route': 'X '.repeat(9_000) }, ['TEXT_SHORTENED general.route']],
    [
      { 'origin.icao_code': {}, 'origin.iata_code': {}, 'api_params.orig': {} },
      ['MISSING_VALUE origin.icao_code'],
    ],
    [
      { 'navlog.fix': [{}, { ident: 'A', pos_lat: '91', pos_long: '0' }] },
      ['OUT_OF_RANGE navlog.fix[1].pos_lat', 'ENTRY_SKIPPED navlog.fix[0]', 'NO_POSITION fixes[0]'],
    ],
  ])('The value %j is omitted with a warning that names its path', (changes, expected) => {
    expect(warningsOf(changed(changes)).toSorted()).toEqual(expected.toSorted());
  });

  test('The same error in many fixes is one warning with a count', () => {
    const fix = { ident: 'A', pos_lat: '1', pos_long: '2', wind_spd: 'fast' };
    const { warnings } = parse(changed({ 'navlog.fix': Array.from({ length: 300 }, () => fix) }));
    expect(warnings).toEqual([
      expect.objectContaining({ code: 'NOT_A_NUMBER', path: 'navlog.fix[0].wind_spd', count: 300 }),
    ]);
  });

  test('Of more waypoints than windAloft accepts 500 are used, including the first and the last', () => {
    const { navlog, fixes } = normalized(planText({ fixes: 1_200 }));
    expect([navlog.length, fixes.length]).toEqual([500, 1_200]);
    expect([navlog[0]?.name, navlog.at(-1)?.name]).toEqual(['SYN00', 'KJFK']);
  });
});

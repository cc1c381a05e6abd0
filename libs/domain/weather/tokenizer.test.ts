import { describe, expect, test } from 'vitest';
import { cpuTimeMs } from '#test/support/cpu-time.ts';
import { decodedText } from './decoded-text.ts';
import { readReport } from './report.ts';
import { tokenize } from './tokenizer.ts';

const join = (report: string): string =>
  tokenize(report, 'METAR')
    .map((t) => t.text + (t.spaceSuffix ? ' ' : ''))
    .join('');
const metar = (report: string) => readReport(report, 'METAR');
const taf = (report: string) => readReport(report, 'TAF');

describe('tokens', () => {
  test.each([
    'METAR EGLL 151020Z 24012KT 9999 FEW020 12/08 Q1013 NOSIG=',
    'KGLR 201853Z AUTO 09007G15KT 1 1/2SM CLR 21/13 A3020 RMK AO2 $',
    '  two  blanks   everywhere ',
    'tab\tand\nline break',
    '',
    ' ',
    '=',
  ])('Tokens join back to %j', (report) => expect(join(report)).toBe(report));

  test('A group of several words is one token', () => {
    const tokens = tokenize('EGLL 151020Z 24012KT 1 1/2SM WS ALL RWY', 'METAR');
    expect(tokens.map((t) => t.continued)).toEqual([false, false, false, false, true, false, true, true]);
    expect(tokens[4]?.group).toBe(tokens[3]?.group);
  });

  test('A malicious line is read in bounded time', () => {
    for (const piece of ['1 ', 'R//', 'WS WS ', '/', 'TEMPO FM0000 ', 'SHRA/']) {
      const report = `EGLL 151020Z ${piece.repeat(200_000 / piece.length)}`;
      expect([piece, cpuTimeMs(() => metar(report)) < 1_000]).toEqual([piece, true]);
    }
  });
});

describe('odd reports', () => {
  const odd = (report: string) => metar(report).main;

  test.each([
    'LPST 211600Z LPST 211600Z 35018KT 320V030 CAVOK 22/10 Q1016',
    'LPST 211600Z METAR LPST 211600Z 35018KT 320V030 CAVOK 22/10 Q1016',
  ])('A repeated header changes nothing: %s', (report) => {
    const read = metar(report);
    expect(read.main).toMatchObject({ wind: { directionDeg: 350, speedKt: 18 }, cavok: true });
    expect([read.temperatureC, read.dewpointC, read.undecoded]).toEqual([22, 10, []]);
  });

  test('A truncated dew point is unknown', () => {
    expect(metar('LPMA 200430Z 02010KT 9999 FEW015 24/1')).toMatchObject({
      temperatureC: 24,
      dewpointC: null,
    });
    expect(metar('LPMA 200430Z 02010KT 9999 FEW015 24/1 Q1013')).toMatchObject({ dewpointC: 1 });
  });

  test('The wind in a broken remark is not the wind of the report', () => {
    const read = metar('LPLA 060600Z 290154G24KT 8000 BKN022 11/07 Q1011 R MK WIND RWY15 28013KT WHT');
    expect([read.main.wind, read.undecoded]).toEqual([null, ['290154G24KT']]);
  });

  test('A cloud type after the vertical visibility, and a vicinity apart from its weather, are read', () => {
    expect(odd('UWSS 241200Z 12003MPS 0300 DZ FG VV003CB 05/05 Q1015').verticalVisibilityFt).toBe(300);
    expect(taf('TAF MMMX 242331Z 2500/2606 24005KT P6SM VC RA SCT020CB').main.weather).toMatchObject([
      { intensity: 'VC', phenomena: ['RA'] },
    ]);
  });

  test.each([
    ['TAF KLAX 271428Z 2714/2818 VRB03KT P6SM FM281500 26006KT P6SM SCT250 AMD NOT SKED', false],
    ['TAF KLAX 271428Z 2714/2818 VRB03KT P6SM AMD LTD TO CLD VIS AND WIND TIL 2803', false],
    ['TAF AMD KLAX 271428Z 2714/2818 VRB03KT P6SM', true],
  ])('%s is amended: %s', (report, isAmended) => {
    expect(taf(report).amended).toBe(isAmended);
  });
});

describe('regressions', () => {
  test('An old runway state does not become the wind', () => {
    const report = metar('UKOO 051600Z 00000MPS CAVOK 02/M03 Q1020 16090060 NOSIG');
    expect(report.main.wind).toMatchObject({ directionDeg: 0, speedKt: 0, gustKt: null });
    expect(report.runwayStates).toMatchObject([
      { runway: '16', deposit: 0, coverage: 9, depthMm: 0, braking: 60 },
    ]);
  });

  test('The winds of other sensors and of trends are not the wind of the report', () => {
    const funchal = metar('LPMA 051600Z 34010KT 9999 FEW020 18/12 Q1020 RS36008KT 0502013KT');
    expect(funchal.main.wind).toMatchObject({ directionDeg: 340, speedKt: 10 });
    expect(funchal.undecoded).toEqual(['RS36008KT', '0502013KT']);
    const sydney = metar('YSCB 051600Z 31012KT CAVOK 18/12 Q1020 FM0000 14020KT');
    expect(sydney.main.wind).toMatchObject({ directionDeg: 310 });
    expect(sydney.changes).toMatchObject([
      { change: 'FM', conditions: { wind: { directionDeg: 140, speedKt: 20 } } },
    ]);
  });

  test('A wind speed of three digits is read', () => {
    const report = metar('KAID 051600Z 270004KT 10SM CLR 02/M03 A3000');
    expect(report.main.wind).toMatchObject({ directionDeg: 270, speedKt: 4 });
    expect(metar('KAID 051600Z 27004 10SM CLR 02/M03 A3000').main.wind).toBeNull();
  });

  test('The Q group takes precedence over A, and A alone is rounded down (M-2.11.r9)', () => {
    expect(metar('EDDF 051600Z 00000KT CAVOK 02/M03 Q1013 A2992').qnhHpa).toBe(1013);
    expect(metar('OIIE 051600Z 00000KT CAVOK 02/M03 A2990 Q1012').qnhHpa).toBe(1012);
    expect(metar('KJFK 051600Z 00000KT 10SM CLR 02/M03 A2992').qnhHpa).toBe(1013);
    expect(metar('KJFK 051600Z 00000KT 10SM CLR 02/M03 A2979').qnhHpa).toBe(1008);
    expect(metar('KJFK 051600Z 00000KT 10SM CLR 02/M03 A3001').qnhHpa).toBe(1016);
    expect(metar('KJFK 051600Z 00000KT 10SM CLR 02/M03').qnhHpa).toBeNull();
    expect(metar('EDDF 051600Z 00000KT CAVOK 02/M03 Q9999').qnhHpa).toBeNull();
  });

  test('Runway visual range is read in all forms', () => {
    const rvr = (group: string) => metar(`VEPT 051600Z 00000KT 0400 ${group} FG 12/12 Q1016`).main.rvr;
    expect(rvr('R25/2000')).toMatchObject([{ runway: '25', minM: 2000, tendency: null }]);
    expect(rvr('R27L/0450V0800/U')).toMatchObject([{ runway: '27L', minM: 450, maxM: 800, tendency: 'U' }]);
    expect(rvr('R06/P6000FT/D')).toMatchObject([{ minM: 1829, bound: 'above', tendency: 'D' }]);
    expect(rvr('R09/M0050N R27/0100N')).toHaveLength(2);
    expect(rvr('R27/////')).toEqual([]);
  });

  test('Runway states are read in all forms', () => {
    const states = (groups: string) =>
      metar(`UUDD 051600Z 00000MPS 9999 M02/M03 Q1016 ${groups}`).runwayStates;
    expect(states('R14L/CLRD70')).toMatchObject([{ runway: '14L', cleared: true, braking: 70 }]);
    expect(states('R07/CLRD//')).toMatchObject([{ runway: '07', cleared: true, braking: null }]);
    expect(states('R14R/SNOCLO R/SNOCLO')).toMatchObject([
      { runway: '14R', closed: true },
      { runway: null, closed: true },
    ]);
    expect(states('66490392')).toMatchObject([
      { runway: '16R', deposit: 4, coverage: 9, depthMm: 3, braking: 92 },
    ]);
    expect(states('R88/2/9495')).toMatchObject([{ runway: 'ALL', deposit: 2, coverage: null, depthMm: 200 }]);
    expect(states('R01/000070')).toMatchObject([{ runway: '01', deposit: 0, coverage: 0 }]);
  });

  test.each([
    ['R75/490342', '25R'],
    ['R51/CLRD70', '01R'],
    ['R86/SNOCLO', '36R'],
    ['75490342', '25R'],
    ['R25L/490342', '25L'],
  ])('Designators from 51 to 86 are right-hand parallels: %s is %s', (group, runway) =>
    expect(metar(`UUDD 051600Z 00000MPS 9999 M02/M03 Q1016 ${group}`).runwayStates).toMatchObject([
      { runway },
    ]),
  );

  test.each([
    'R45/490342',
    'R00/CLRD70',
    'R87/SNOCLO',
    'R75L/490342',
    '40490342',
    'R45/2000',
    'R25/4999',
    'R25/4999N',
    'WS RWY150',
    'WS R37',
    'WS R150',
  ])('A group after the pressure without a runway, or with an invalid one, is not decoded: %s', (group) => {
    const report = metar(`UUDD 051600Z 00000MPS 9999 M02/M03 Q1016 ${group} NOSIG`);
    expect([report.runwayStates, report.main.rvr]).toEqual([[], []]);
    expect(report.tokens.filter((token) => token.group.kind === 'windShear')).toEqual([]);
    expect(report.undecoded.join(' ')).toBe(group);
  });

  test('Wind shear for a runway does not replace the state of the same runway', () => {
    const report = metar('UUDD 051600Z 00000MPS 9999 M02/M03 Q1016 WS R24 R24/010070');
    expect([report.undecoded, report.runwayStates.length]).toEqual([[], 1]);
  });

  test('Visibility is read in all forms', () => {
    const metres = (group: string) => metar(`KMWN 051600Z 00000KT ${group} M02/M03`).main.visibility?.metres;
    expect(metres('1/16SM')).toBe(101);
    expect(metres('1 1/2SM')).toBe(2414);
    expect(metres('11/2SM')).toBe(2414);
    expect(metres('M1/4SM')).toBe(402);
    expect(metres('10SM')).toBe(16093);
    // Some software inserts blanks into the group.
    expect(metres('1 / 4SM')).toBe(402);
    expect(metres('1/4 SM')).toBe(402);
    expect(metres('M1/4 SM')).toBe(402);
    expect(metres('2 3 / 4 SM')).toBe(4426);
    expect(metres('P6 SM')).toBe(9656);
    expect(metres('10 SM')).toBe(16093);
    expect(metres('3000E')).toBe(3000);
    expect(metres('9999NDV')).toBe(9999);
    expect(metres('9999 3100')).toBe(9999);
    expect(metres('9999/8000')).toBe(9999);
    expect(metres('////')).toBeNull();
    // Validity periods, in days and hours or in hours and minutes.
    for (const period of ['1612/1718', '0100/3124', '0755/0930', '2300/0100'])
      expect([period, metres(period)]).toEqual([period, undefined]);
  });

  test('Temperature without dew point and minus zero are read (M-2.11.r10, M-2.11.r11)', () => {
    expect(metar('CWKP 051600Z AUTO 00000KT M03/ A2990')).toMatchObject({
      temperatureC: -3,
      dewpointC: null,
    });
    const zero = metar('ESSA 051600Z 00000KT 9999 M00/M01 Q1004');
    expect(Object.is(zero.temperatureC, 0)).toBe(true);
    expect(zero.dewpointC).toBe(-1);
    expect(metar('CWKP 051600Z AUTO 00000KT ///// A2990').temperatureC).toBeNull();
  });

  test('Recent weather, wind shear and unreported groups are read', () => {
    const winnipeg = metar('CYWG 051600Z 36010KT 15SM OVC030 M02/M03 A2990 REFZRA WS RWY36 RMK SC8');
    expect(winnipeg.recentWeather).toMatchObject([{ descriptor: 'FZ', phenomena: ['RA'] }]);
    expect(winnipeg.undecoded).toEqual([]);
    const bastia = metar('LFBY 051600Z AUTO 36010KT //// // ////// 12/10 Q1016');
    expect(bastia.undecoded).toEqual([]);
    expect(bastia.main.visibility?.metres).toBeNull();
    const chambery = metar('LFLB 051600Z AUTO 36010KT 9999 SCT030/// ///TCU 12/10 Q1016');
    expect(chambery.main.clouds).toMatchObject([
      { amount: 'SCT', baseFt: 3000, type: null },
      { amount: null, baseFt: null, type: 'TCU' },
    ]);
    expect(metar('SLLP 051600Z 00000KT 1500E BCFG 02/01 Q1034').main.visibility?.metres).toBe(1500);
  });

  test('Remarks and a second report are not read', () => {
    const report = metar('KJFK 051600Z 00000KT 10SM CLR 02/M03 A2992 RMK FCST 27050KT Q0900');
    expect(report).toMatchObject({ remarks: 'FCST 27050KT Q0900', qnhHpa: 1013 });
    const glued = metar('KJFK 051600Z 10SM CLR 02/M03 A2992 KBOS 051600Z 27050G70KT 1/4SM');
    expect(glued.main.wind).toBeNull();
  });

  test('A visibility without its unit is not read as temperature, and a time without Z is accepted', () => {
    const torn = metar('KJFK 051600Z 27010KT M1/4 FG OVC005 12/11 A2990');
    expect([torn.temperatureC, torn.main.visibility, torn.undecoded]).toEqual([12, null, ['M1/4']]);
    expect(metar('MYNN 230200 09005KT 9999 SCT018 25/21 A3015').time).toEqual({
      day: 23,
      hour: 2,
      minute: 0,
    });
    const forecast = taf('TAF EDDF 161100 1612/1718 24010KT 9999 BKN030');
    expect(forecast.time).toEqual({ day: 16, hour: 11, minute: 0 });
    expect(forecast.validity?.to).toMatchObject({ day: 17, hour: 18 });
    expect(taf('TAF EDDF 161218 24010KT 9999 BKN030').validity?.from).toMatchObject({ day: 16, hour: 12 });
  });

  test('Wrong numbers are refused', () => {
    const report = metar('EDDF 321099Z 40012KT 9999 12/08 Q1013');
    expect(report).toMatchObject({ icao: 'EDDF', time: null });
    expect(report.main.wind).toBeNull();
    expect(report.undecoded).toEqual(['321099Z', '40012KT']);
  });

  test('NIL and CNL yield nulls, and NIL after other groups removes nothing', () => {
    expect(metar('FPST 051700Z 14006KT 9999 SCT020 26/20 Q1013 NIL').nil).toBe(false);
    expect(metar('METAR EGLL 151020Z NIL')).toMatchObject({ nil: true, icao: 'EGLL', temperatureC: null });
    expect(taf('TAF EGLL 151020Z 1512/1612 CNL')).toMatchObject({ cancelled: true });
    expect(taf('TAF EGLL 151020Z NIL')).toMatchObject({ nil: true, validity: null });
  });
});

describe('forecasts', () => {
  test('Change groups are read with periods and probabilities', () => {
    const report = taf(
      'TAF AMD LFPG 161100Z 1612/1718 30010KT 9999 FEW040TCU TX22/1616Z PROB30 TEMPO 1612/1615 30010G20KT -SHRA ' +
        'BECMG 1615/1617 CAVOK FM170800 24010KT WS020/22045KT PROB40 1710/1712 0300 FG',
    );
    expect(report).toMatchObject({
      amended: true,
      validity: { from: { day: 16, hour: 12 }, to: { day: 17, hour: 18 } },
    });
    expect(report.changes).toMatchObject([
      {
        change: 'TEMPO',
        probability: 30,
        from: { day: 16, hour: 12 },
        to: { hour: 15 },
        conditions: { wind: { gustKt: 20 } },
      },
      { change: 'BECMG', conditions: { cavok: true } },
      { change: 'FM', from: { day: 17, hour: 8, minute: 0 }, to: null },
      { change: 'PROB', probability: 40, conditions: { visibility: { metres: 300 } } },
    ]);
    expect(report.undecoded).toEqual([]);
  });

  test('A validity in the old form with an invalid day or hour is not read', () => {
    for (const word of ['450612', '002412', '152512', '151225']) {
      const report = taf(`TAF EGLL 151000Z ${word} 24012KT 9999`);
      expect(report).toMatchObject({ validity: null, undecoded: [word], main: { wind: { speedKt: 12 } } });
      expect(decodedText(report, '2026-09-15T10:00:00Z', [])).toContain(`Not decoded: ${word}`);
    }
  });

  test('The old validity form and change groups after remarks are read', () => {
    const old = taf('TAF EGLL 151000Z 151019 24012KT 9999 TEMPO 1216 4000 RA');
    expect(old.validity).toEqual({
      from: { day: 15, hour: 10, minute: 0 },
      to: { day: null, hour: 19, minute: 0 },
    });
    expect(old.changes[0]).toMatchObject({
      from: { hour: 12 },
      to: { hour: 16 },
      conditions: { visibility: { metres: 4000 } },
    });
    const remarked = taf(
      'TAF YSSY 151000Z 1510/1610 24012KT CAVOK RMK T 25 27 Q 1012 FM151800 18020KT CAVOK',
    );
    expect(remarked.changes).toHaveLength(1);
    expect(remarked.main.wind?.directionDeg).toBe(240);
  });
});

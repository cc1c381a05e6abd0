import { describe, expect, test } from 'vitest';
import { airportOfCallsign, isAirportPosition, networkAItems, networkBItems } from './datis.ts';

const a = (callsign: string) => ({
  icao: 'EHAM',
  frequency: '118.700',
  timestamp: '2023-01-04T15:48:13.000Z',
  atis: ['x'],
  callsign,
  revision: 'Q',
  sessionId: 1,
});
const b = (callsign: string) => ({ icao: 'KDEN', frequency: null, atis: [], callsign, atisCode: null });

describe('order of ATIS', () => {
  test('The order is tower, approach, departure, ground, delivery, and a combined ATIS comes before split ones (M-2.11.a7)', () => {
    const mixed = [
      'EHAM_DEL',
      'EHAM_W_APP',
      'EHAM_B_TWR',
      'EHAM_GND',
      'EHAM_CTR',
      'EHAM_A_TWR',
      'EHAM_DEP',
      'EHAM_TWR',
    ];
    const items = networkAItems(mixed.map(a));
    expect(items?.map((i) => i.callsign)).toEqual([
      'EHAM_TWR',
      'EHAM_A_TWR',
      'EHAM_B_TWR',
      'EHAM_W_APP',
      'EHAM_DEP',
      'EHAM_GND',
      'EHAM_DEL',
    ]);
    expect(items?.map((i) => i.order)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  test('The order is combined, arrival, departure, others (M-2.11.b5)', () => {
    const items = networkBItems(['KDEN_Z_ATIS', 'KDEN_D_ATIS', 'KDEN_A_ATIS', 'KDEN_ATIS'].map(b));
    expect(items?.map((i) => [i.callsign, i.order])).toEqual([
      ['KDEN_ATIS', 0],
      ['KDEN_A_ATIS', 1],
      ['KDEN_D_ATIS', 2],
      ['KDEN_Z_ATIS', 3],
    ]);
  });

  test('The ATIS is null when no controller is connected (M-2.11.f6)', () => {
    expect(networkAItems([])).toBeNull();
    expect(networkAItems([a('LIRR_NE_CTR')])).toBeNull();
    expect(networkBItems([])).toBeNull();
  });

  test('A callsign yields airport and position', () => {
    expect(['LEMD_S_TWR', 'DEN_TWR', 'lemd_twr', 'K1V4_ATIS'].map(airportOfCallsign)).toEqual([
      'LEMD',
      null,
      null,
      'K1V4',
    ]);
    expect(['LEMD_S_TWR', 'LIRR_NE_CTR', 'LFFF_FSS'].map(isAirportPosition)).toEqual([true, false, false]);
  });
});

import { expect, test } from 'vitest';
import { isDeep } from '#test/support/deep.ts';
import { cpuTimeMs } from '#test/support/cpu-time.ts';
import { ofLength } from '#test/support/hostile-texts.ts';
import { parseAixmMessage } from './aixm.ts';
import { notamFormatOf } from './content.ts';
import { parseNotamGeoJson } from './geojson.ts';
import { geoJsonFeature, nmsAnswer } from '#test/support/nms.ts';
import { serviceRecord } from './service-record.ts';

const shapes = [',', ' ', '1', '/', '(', '<a', '<a>', '</', '&AMP;', '\n', 'x\n', '"', '[', '{"a":'];

const fields: Record<string, string> = {
  number: 'A0001/26',
  location: 'XXAA',
  affectedFir: 'XXFF',
  selectionCode: 'QMRLC',
  scope: 'A',
  effectiveStart: '2602010000',
  effectiveEnd: 'PERM',
};

const readers: Record<string, (text: string) => unknown> = {
  'an AIXM message': (text) => parseAixmMessage(`<AIXMBasicMessage>${text}`),
  'an AIXM element': (text) =>
    parseAixmMessage(`<AIXMBasicMessage><x>${text.replaceAll('<', '&lt;')}</x></AIXMBasicMessage>`),
  GeoJSON: (text) =>
    parseNotamGeoJson(
      nmsAnswer([geoJsonFeature({ id: 'NMS_ID_1', number: 'A0001/26', location: 'XXAA', text })]),
    ),
  'the fields of a service': (text) =>
    serviceRecord({
      id: '1',
      fields: (name) => ({ ...fields, text, schedule: text })[name],
      icaoText: text,
    }),
  'the beginning of a file': (text) => notamFormatOf(`x${text}`),
};

const leastMs = (work: () => unknown, runs: number): number =>
  Math.min(...Array.from({ length: runs }, () => cpuTimeMs(work)));
const floorMs = 4;

test.each(Object.entries(readers))(
  'A text of 100 kB with %s takes at most 15 times as long as one of 10 kB with the same structure',
  (name, read) => {
    const at = Object.keys(readers).indexOf(name);
    for (const shape of shapes.filter((_, i) => isDeep || (i + at) % 3 === 0)) {
      const shortMs = Math.max(
        leastMs(() => read(ofLength(shape, 10_000)), 3),
        floorMs,
      );
      const longMs = leastMs(() => read(ofLength(shape, 100_000)), 2);
      expect([shape, longMs <= 15 * shortMs, longMs > 15 * shortMs ? [shortMs, longMs] : []]).toEqual([
        shape,
        true,
        [],
      ]);
    }
  },
);

import { publicationDelayMs } from './cycle.ts';
import { wantedLevelsHpa, windFieldOfText } from './fields.ts';
import { fieldKey, parseIdx, wantedRecords } from './idx.ts';
import { parseIndexLines } from './index-lines.ts';

/** One wanted field in an inventory. */
export interface InventoryField {
  /** Field and level, as `fieldKey` writes them. */
  key: string;
  offset: number;
  /** First octet after the message, null for the last one of the file. */
  end: number | null;
}

/** A forecast model as it is published. The hours of a cycle never come from two models. */
export interface WindModel {
  name: 'gfs' | 'ecmwf';
  /** From the reference time to the publication of the hours up to 48; nothing is requested before. */
  publishedAfterMs: number;
  /** Levels that must have u, v and temperature, hPa. */
  requiredLevelsHpa: readonly number[];
  inventoryAddress: (address: string) => string;
  /** The wanted fields of one hour of a cycle; null when the text is of another kind. */
  readInventory: (text: string, cycleMs: number, hour: number) => InventoryField[] | null;
}

const gfs: WindModel = {
  name: 'gfs',
  publishedAfterMs: publicationDelayMs,
  // The 21 levels of the products that have always been published.
  requiredLevelsHpa: wantedLevelsHpa.filter((level) => level >= 100),
  inventoryAddress: (address) => `${address}.idx`,
  readInventory: (text, cycleMs, hour) => {
    const records = parseIdx(text);
    if (records.length === 0) return null;
    return wantedRecords(records, cycleMs, hour).flatMap(({ variable, level, offset, end }) => {
      const field = windFieldOfText(variable, level);
      return field ? [{ key: fieldKey(field.index, field.levelHpa), offset, end }] : [];
    });
  },
};

const ecmwf: WindModel = {
  name: 'ecmwf',
  publishedAfterMs: 6 * 3_600_000,
  requiredLevelsHpa: [100, 150, 200, 250, 300, 400, 500, 600, 700, 850, 925, 1000],
  inventoryAddress: (address) => address.replace(/\.grib2$/, '.index'),
  readInventory: (text, cycleMs, hour) =>
    parseIndexLines(text)
      ?.filter((field) => field.cycleMs === cycleMs && field.hour === hour)
      .map(({ index, levelHpa, offset, end }) => ({ key: fieldKey(index, levelHpa), offset, end })) ?? null,
};

/** All models by name. */
export const windModels = { gfs, ecmwf } as const;

/** The model whose files a URL template names: ECMWF's end with type and format, `…-oper-fc.grib2`. */
export const modelOf = (template: string): WindModel => (template.endsWith('-fc.grib2') ? ecmwf : gfs);

/** Unit presets and unit facts of `refreshUserData.units` (G-17). Factors: exact by definition (SI brochure, NIST SP 811). */
import { z } from 'zod';
import { defaultUnits } from './preferences.ts';

export const kgPerLb = 0.453_592_37;
export const mmPerInch = 25.4;
export const metresPerFoot = 0.3048;

/**
 * The names under weight, distance, altitude, wind, depth and pressure are also values of the `units` object in the
 * query `performance`, so these six fields of a preset can be sent there unchanged.
 */
export const unitConfigSchema = z.strictObject({
  id: z.enum(defaultUnits),
  label: z.string(),
  weight: z.enum(['kg', 'lb']),
  distance: z.enum(['feet', 'meter']),
  altitude: z.enum(['feet', 'meter']),
  wind: z.enum(['kt', 'ms']),
  temperature: z.enum(['celsius', 'fahrenheit']),
  pressure: z.enum(['hpa', 'inhg']),
  depth: z.enum(['mm', 'inches']),
  fuel: z.enum(['kg', 'lb']),
});

/** SI value = value × `factorToSI` + `offset`; shown with `decimals` places. */
const unitDetailSchema = z.strictObject({
  id: z.string(),
  quantity: z.enum(['mass', 'length', 'speed', 'temperature', 'pressure']),
  label: z.string(),
  symbol: z.string(),
  factorToSI: z.number(),
  offset: z.number(),
  decimals: z.int(),
});

type UnitConfig = z.output<typeof unitConfigSchema>;

const metric: UnitConfig = {
  id: 'METRIC',
  label: 'Metric',
  weight: 'kg',
  distance: 'meter',
  altitude: 'feet',
  wind: 'kt',
  temperature: 'celsius',
  pressure: 'hpa',
  depth: 'mm',
  fuel: 'kg',
};

const imperial: UnitConfig = {
  id: 'IMPERIAL',
  label: 'Imperial',
  weight: 'lb',
  distance: 'feet',
  altitude: 'feet',
  wind: 'kt',
  temperature: 'celsius',
  pressure: 'inhg',
  depth: 'inches',
  fuel: 'lb',
};

export const unitConfig: readonly UnitConfig[] = [
  metric,
  {
    ...metric,
    id: 'METRIC_M',
    label: 'Metric, altitude in metres, wind in m/s',
    altitude: 'meter',
    wind: 'ms',
  },
  imperial,
  { ...metric, id: 'HYBRID1', label: 'Metric, distance in feet', distance: 'feet' },
  { ...metric, id: 'HYBRID2', label: 'Metric, weight in pounds', weight: 'lb', fuel: 'lb' },
  { ...imperial, id: 'HYBRID3', label: 'Imperial, weight in kilograms', weight: 'kg', fuel: 'kg' },
];

/** The units of a setting; the first preset if it is unknown. */
export const presetOf = (defaultUnit: string): UnitConfig => {
  const [first] = unitConfig;
  const preset = unitConfig.find(({ id }) => id === defaultUnit) ?? first;
  if (!preset) throw new Error('there are no units');
  return preset;
};

const detail = (
  id: string,
  quantity: z.output<typeof unitDetailSchema>['quantity'],
  label: string,
  symbol: string,
  factorToSI: number,
  decimals: number,
  offset = 0,
) => ({ id, quantity, label, symbol, factorToSI, offset, decimals });

export const unitDetails = [
  detail('kg', 'mass', 'Kilogram', 'kg', 1, 0),
  detail('lb', 'mass', 'Pound', 'lb', kgPerLb, 0),
  detail('meter', 'length', 'Metre', 'm', 1, 0),
  detail('feet', 'length', 'Foot', 'ft', metresPerFoot, 0),
  detail('mm', 'length', 'Millimetre', 'mm', 0.001, 0),
  detail('inches', 'length', 'Inch', 'in', mmPerInch / 1_000, 2),
  detail('kt', 'speed', 'Knot', 'kt', 1852 / 3600, 0),
  detail('ms', 'speed', 'Metre per second', 'm/s', 1, 1),
  detail('celsius', 'temperature', 'Degree Celsius', '°C', 1, 0, 273.15),
  detail('fahrenheit', 'temperature', 'Degree Fahrenheit', '°F', 5 / 9, 0, 459.67 * (5 / 9)),
  detail('hpa', 'pressure', 'Hectopascal', 'hPa', 100, 0),
  detail('inhg', 'pressure', 'Inch of mercury', 'inHg', 3386.389, 2),
];

export const unitsSchema = z.strictObject({
  unitConfig: z.array(unitConfigSchema),
  unitDetails: z.array(unitDetailSchema),
});

export const units: z.output<typeof unitsSchema> = { unitConfig: [...unitConfig], unitDetails };

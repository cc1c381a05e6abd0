import { wireTime } from '#domain/time.ts';
import { html } from '../html.ts';
import type { Html, Insert } from '../html.ts';
import { navigation } from '../shell.ts';
import type { StatusData } from './data.ts';
import { feedList } from './feeds.ts';
import { systemTiles } from './system.ts';

const banner = ({ isSimulated }: StatusData): Insert =>
  isSimulated &&
  html`<p class="banner" role="note"><strong>Simulated sources.</strong> Weather, winds and traffic on this service are generated: do not use them for a flight.</p>`;

const testPaymentBanner = ({ acceptsTestPayments }: StatusData): Insert =>
  acceptsTestPayments &&
  html`<p class="banner severe" role="alert"><strong>Test payments are accepted.</strong> Orders that cost nothing give access on this service.</p>`;

const headline = ({ summary, now }: StatusData): Html => html`<header>
<h1>Service status</h1>
<p class="lead ${summary.status}"><span class="light" aria-hidden="true"></span><span>${summary.sentence}</span></p>
<p class="hint"><time datetime="${now.toISOString()}">${wireTime(now)} UTC</time><span id="renewal"></span></p>
</header>`;

const legend = html`<ul class="legend">
<li><i class="vfr"></i>VFR</li><li><i class="mvfr"></i>MVFR</li><li><i class="ifr"></i>IFR</li>
<li><i class="lifr"></i>LIFR</li><li><i class="unreported"></i>no report</li><li><i class="closed"></i>runway closed by NOTAM</li>
<li><i class="sigmet"></i>SIGMET</li><li><i class="airmet"></i>AIRMET</li>
</ul>`;

const mapSection = (map: string | null): Html => html`<section aria-labelledby="map-title">
<h2 id="map-title">Airports</h2>
<p class="hint" id="map-text">Colours: flight category of the current METAR. Areas: SIGMET and AIRMET in force.</p>
${legend}
<div id="map" role="region" aria-label="Map of all airports" data-map="${map}"></div>
<p class="hint scriptless">The map needs JavaScript; the airports are also <a href="/map/airports.geojson">a GeoJSON file</a>, everything else on this page is complete.</p>
</section>`;

/** The whole page. The script replaces `#live` with that of a newer page, so rendering exists only here. */
export const statusHtml = (data: StatusData): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${data.summary.status} · Service status</title>
<noscript><meta http-equiv="refresh" content="60"></noscript>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/status/leaflet.css">
<link rel="stylesheet" href="/status/page.css">
</head>
<body>
${navigation('/status')}
<main>
<div id="live">
${banner(data)}
${testPaymentBanner(data)}
${headline(data)}
${systemTiles(data)}
${feedList(data)}
</div>
${mapSection(data.map)}
</main>
<footer><p class="hint">Machine-readable: <a href="/status.json">status.json</a>. Airports: OurAirports and FAA. Exits: © OpenStreetMap contributors. Land: Natural Earth.</p></footer>
<script src="/status/leaflet.js"></script>
<script src="/status/status.js"></script>
</body>
</html>
`.text;

import type { GuestProblem } from '../../services/guests.ts';
import { guestEmail } from '#domain/users/types.ts';
import { html } from '../html.ts';
import type { Html, Insert } from '../html.ts';

const causes: Readonly<Record<GuestProblem, Insert>> = {
  NO_KEY: 'This service has no developer key for it.',
  KEY_REVOKED: 'Its developer key has been revoked, or is not in the database yet.',
  NO_ACCOUNT: html`Its account <code>${guestEmail}</code> does not exist or is disabled.`,
};

/** The page shown without a usable key: the reason, and the operator's remedy. */
export const offHtml = (problem: GuestProblem): Html => html`<h1>Takeoff and landing calculator</h1>
<p class="claim">The calculator is off.</p>
<p>${causes[problem]}</p>
<h2>Switch it on</h2>
<p>The operator of this service sets a new key, any text of 32 characters or more, and starts the service again:</p>
<pre tabindex="0" aria-label="Commands"><code>export TRY_DEVELOPER_KEY="dk_$(openssl rand -hex 24)"
npm start            # or npm run migrate, where each tier runs on its own</code></pre>
<p class="hint">That creates the key, which permits only <code>weather</code>, and the account whose calculations the visitors share.
<code>npm run ops -- devkey revoke --id N</code> switches the calculator off again.</p>`;

/** The mode selected at first; fields of other modes stay hidden until the script has run. */
const firstMode = 'inflight';

/** Marks fields of certain calculations. */
const only = (modes: string): Insert =>
  modes !== '' && html` data-modes="${modes}"${!modes.includes(firstMode) && ' hidden'}`;

/** A labelled field; its problem is shown next to it. */
const field = (name: string, label: string, control: Html, unit = '', modes = ''): Html =>
  html`<div class="field" data-field="${name}"${only(modes)}><label for="${name}">${label} <small class="mark">assumed</small></label>
<div class="control">${control}${unit !== '' && html`<span class="unit" data-unit="${unit}"></span>`}</div>
<p class="problem" id="${name}-problem" hidden></p></div>`;

const number = (name: string, label: string, unit: string, modes = ''): Html =>
  field(
    name,
    label,
    html`<input id="${name}" name="${name}" autocomplete="off" aria-describedby="${name}-problem">`,
    unit,
    modes,
  );

const select = (name: string, label: string, modes = '', options: Insert = ''): Html =>
  field(
    name,
    label,
    html`<select id="${name}" name="${name}" aria-describedby="${name}-problem">${options}</select>`,
    '',
    modes,
  );

const items = (name: string, legend: string): Html =>
  html`<fieldset class="items" data-field="${name}"><legend>${legend}</legend><div id="${name}"></div></fieldset>`;

const choice = (name: string, legend: string, options: readonly (readonly [string, string])[]): Html =>
  html`<fieldset class="choice"><legend>${legend}</legend>${options.map(
    ([value, text], i) =>
      html`<label><input type="radio" name="${name}" value="${value}"${i === 0 && ' checked'}><span>${text}</span></label>`,
  )}</fieldset>`;

const inputs = html`<form id="inputs" novalidate aria-label="Inputs">
<div class="pair">
${choice('mode', 'Calculation', [
  [firstMode, 'In flight'],
  ['dispatch', 'Dispatch'],
  ['takeoff', 'Takeoff'],
])}
${choice('system', 'Units', [
  ['metric', 'kg, m'],
  ['imperial', 'lb, ft'],
])}
</div>
<section class="box" aria-labelledby="box-where"><h2 id="box-where">Aircraft and runway</h2>
${select('aircraft', 'Aircraft')}
${field(
  'airport',
  'Airport',
  html`<input id="airport" name="airport" role="combobox" aria-expanded="false" aria-controls="airports" aria-autocomplete="list" autocomplete="off" spellcheck="false" aria-describedby="airport-problem" placeholder="ICAO, IATA or name"><ul id="airports" role="listbox" aria-label="Airports" hidden></ul>`,
)}
<p class="hint" id="airport-name" role="status"></p>
<fieldset class="runways" data-field="runway"><legend>Runway</legend><div id="runways"><p class="hint">Choose an airport.</p></div><p class="problem" id="runway-problem" hidden></p></fieldset>
${select('intersection', 'Begins at', 'takeoff')}
</section>
<section class="box" aria-labelledby="box-weather"><h2 id="box-weather">Weather and surface</h2>
<p id="metar" class="metar"></p>
<div class="three">
${number('windDirection', 'Wind from', 'direction')}
${number('windSpeed', 'Wind', 'wind')}
${number('gust', 'Gust', 'wind')}
${number('temperature', 'OAT', 'temperature')}
${number('qnh', 'QNH', 'pressure')}
</div>
${select('state', 'Runway condition')}
${number('depth', 'Depth', 'depth')}
</section>
<section class="box" aria-labelledby="box-aircraft"><h2 id="box-aircraft">Weight and configuration</h2>
<div class="two">
${number('landingWeight', 'Landing weight', 'weight', 'inflight dispatch')}
${number('takeoffWeight', 'Takeoff weight', 'weight', 'takeoff')}
${number('vrefAdditive', 'Speed additive', 'speed', 'inflight')}
${select('flap', 'Flaps')}
${select('autobrake', 'Autobrake', 'inflight')}
${select('reverser', 'Reverse thrust', 'inflight dispatch')}
${select('rating', 'Rating', 'takeoff')}
${select('thrust', 'Reduced thrust', 'takeoff', html`<option value="AUTO">As far as possible</option><option value="NONE">None</option>`)}
${select('acBleed', 'Air conditioning', 'takeoff')}
${select('improvedClimb', 'Improved climb', 'takeoff')}
${select('antiIce', 'Anti-ice')}
</div>
<details class="failures"><summary>Failures and inoperative items</summary>
${select('nonNormal', 'Failure', 'inflight')}
${items('mel', 'Inoperative (MEL)')}
${items('cdl', 'Missing (CDL)')}
</details>
<label class="item"><input type="checkbox" name="assess"> Show what would change the result</label>
</section>
<p class="problem" id="form-problem" role="alert" hidden></p>
<div class="go"><button id="calculate" class="primary">Calculate</button></div>
</form>`;

/** The calculator; its modules fill in the choices and the result. */
export const calculatorHtml = html`<h1>Takeoff and landing calculator</h1>
<p class="scriptless">The calculator needs JavaScript. The same numbers come from <code>POST /api</code>: see <a href="/docs">the documentation</a>.</p>
<div class="calculator">
${inputs}
<section id="result" aria-labelledby="result-title" aria-live="polite"><h2 id="result-title" class="unseen">Result</h2>
<div id="answer"><p class="empty">Choose an airport, then calculate.<br><small>Distances, speeds and limits appear here.</small></p></div>
</section>
</div>`;

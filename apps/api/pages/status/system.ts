import type { QueueCount } from '#store/queue/types.ts';
import { html } from '../html.ts';
import type { Html, Insert } from '../html.ts';
import type { StatusData } from './data.ts';
import { countText, durationText } from './text.ts';

const tile = (title: string, state: string, value: string, text: string): Html =>
  html`<li class="tile"><h2>${title}</h2><p class="value ${state}">${value}</p><p>${text}</p></li>`;

const sumOf = (queues: readonly QueueCount[], count: (queue: QueueCount) => number): number =>
  queues.reduce((sum, queue) => sum + count(queue), 0);

const waitingOf = (queues: readonly QueueCount[]) => sumOf(queues, (queue) => queue.waiting);
const delayedOf = (queues: readonly QueueCount[]) => sumOf(queues, (queue) => queue.delayed);
const activeOf = (queues: readonly QueueCount[]) => sumOf(queues, (queue) => queue.active);
const deadLettersOf = (queues: readonly QueueCount[]) => sumOf(queues, (queue) => queue.dead);

const jobRow = (queue: QueueCount): Html => {
  const store = queue.store === 'redis' && html` <small>Redis</small>`;
  const counts = [queue.waiting, queue.active, queue.delayed].map(
    (count) => html`<td>${countText(count)}</td>`,
  );
  const failed = deadLettersOf([queue]);
  return html`<tr><th scope="row">${queue.job}${store}</th>${counts}<td class="${failed > 0 && 'bad'}">${countText(failed)}</td></tr>`;
};

const queueTable = (queues: readonly QueueCount[]): Insert =>
  queues.length > 0 &&
  html`<details class="queues"${deadLettersOf(queues) > 0 && ' open'}><summary>Queues by job</summary><table>
<thead><tr><th scope="col">Job</th><th scope="col">Waiting</th><th scope="col">Running</th>
<th scope="col">Later</th><th scope="col">Dead letters</th></tr></thead>
<tbody>${queues.map(jobRow)}</tbody></table></details>`;

/** API, database, queues and dead letters. */
export const systemTiles = (data: StatusData): Html => {
  const { queues, databaseReason, databaseMs, apiUptimeSeconds } = data;
  const uptime = `This process has run for ${durationText(apiUptimeSeconds / 60)}.`;
  const tiles = [
    tile('API', 'up', 'up', uptime),
    databaseReason === null
      ? tile(
          'Database',
          'up',
          'up',
          `Answered in ${Math.max(1, Math.round(databaseMs))} ms; its schema is current.`,
        )
      : tile('Database', 'down', 'down', databaseReason),
  ];
  if (queues) {
    const waiting = waitingOf(queues);
    const dead = deadLettersOf(queues);
    const running = `${countText(activeOf(queues))} running, ${countText(delayedOf(queues))} for later.`;
    tiles.push(
      tile('Queues', 'plain', `${countText(waiting)} waiting`, running),
      tile(
        'Dead letters',
        dead > 0 ? 'down' : 'plain',
        countText(dead),
        dead > 0 ? 'Jobs that failed for good and wait for the operator.' : 'No job has failed for good.',
      ),
    );
  } else tiles.push(tile('Queues', 'late', 'unknown', 'The queues cannot be read now.'));
  return html`<section aria-label="Service"><ul class="tiles">${tiles}</ul>${queues && queueTable(queues)}</section>`;
};

import type { QueueCount } from '#store/queue/types.ts';
import { html } from '../html.ts';
import type { Html, Insert } from '../html.ts';
import type { StatusData } from './data.ts';
import { countText, durationText } from './text.ts';

const tile = (title: string, state: string, value: string, text: string): Html =>
  html`<li class="tile"><h2>${title}</h2><p class="value ${state}">${value}</p><p>${text}</p></li>`;

const sumOf = (queues: readonly QueueCount[], count: 'waiting' | 'delayed' | 'active' | 'dead'): number =>
  queues.reduce((sum, queue) => sum + queue[count], 0);

const jobRow = (queue: QueueCount): Html => {
  const store = queue.store === 'redis' && html` <small>Redis</small>`;
  const counts = [queue.waiting, queue.active, queue.delayed].map(
    (count) => html`<td>${countText(count)}</td>`,
  );
  return html`<tr><th scope="row">${queue.job}${store}</th>${counts}<td class="${queue.dead > 0 && 'bad'}">${countText(queue.dead)}</td></tr>`;
};

const queueTable = (queues: readonly QueueCount[]): Insert =>
  queues.length > 0 &&
  html`<details class="queues"${sumOf(queues, 'dead') > 0 && ' open'}><summary>Queues by job</summary><table>
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
    const count = (name: Parameters<typeof sumOf>[1]) => countText(sumOf(queues, name));
    const dead = sumOf(queues, 'dead');
    const running = `${count('active')} running, ${count('delayed')} for later.`;
    tiles.push(
      tile('Queues', 'plain', `${count('waiting')} waiting`, running),
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

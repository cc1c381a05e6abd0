/** Queues, and jobs that failed for good: look, retry, discard. */
import { z } from 'zod';
import type { DeadLetter } from '#data/queue/queues.ts';
import { withoutSecrets } from '#platform/redaction/without-secrets.ts';
import { DomainError } from '#domain/errors.ts';
import { discardJobVerb, retryJobVerb } from '#operator/jobs.ts';
import { actionOf, consolePage, defineSection } from '../define.ts';
import { html } from '../../pages/html.ts';
import {
  button,
  confirmed,
  facts,
  listQuery,
  orDash,
  paged,
  pageSize,
  searchForm,
  table,
  time,
} from '../../site/parts.ts';

const maxLetters = 1_000;
const countColumns = ['Job', 'Store', 'Waiting', 'Running', 'Later', 'Failed for good'];

/** What a job is about: the feed, the mail, the calculation. */
const subjectOf = ({ payload }: DeadLetter): string => JSON.stringify(withoutSecrets(payload));

const isFound = (letter: DeadLetter, search: string): boolean =>
  `${letter.job} ${letter.error} ${subjectOf(letter)}`.toLowerCase().includes(search.toLowerCase());

const list = consolePage('/queues', z.object(listQuery), async ({ queues, formToken }, { page, search }) => {
  const counts = await (await queues()).counts();
  const letters = (await (await queues()).deadLetters(maxLetters)).filter((letter) =>
    isFound(letter, search),
  );
  const counted = counts.map((count) => [
    count.job,
    count.store,
    count.waiting,
    count.active,
    count.delayed,
    count.dead,
  ]);
  const first = (page - 1) * pageSize;
  const { rows, links } = paged(letters.slice(first, first + pageSize + 1), page, '/queues', { search });
  return {
    title: 'Queues',
    main: html`<h2>Jobs that failed for good</h2>
        ${searchForm('/queues', 'Job, error or content', search)}
        ${table(
          'Jobs that failed for good',
          ['Failed', 'Job', 'Content', 'Error', ''],
          rows.map((letter) => [
            time(letter.failedAt),
            html`<a href="/console/queues/show?id=${letter.id}">${letter.job}</a>`,
            html`<code class="cut">${subjectOf(letter)}</code>`,
            html`<span class="bad cut">${letter.error}</span>`,
            button('Retry', {
              formToken,
              action: '/queues/retry',
              fields: { id: letter.id },
              about: letter.job,
              isPlain: true,
            }),
          ]),
        )}
        ${links}
        <h2>All queues</h2>
        ${table('Queues', countColumns, counted)}`,
  };
});

const idSchema = z.object({ id: z.string().min(1).max(200) });

const show = consolePage('/queues/show', idSchema, async ({ queues, formToken }, { id }) => {
  const letter = await (await queues()).deadLetter(id);
  if (!letter) throw new DomainError('NOT_FOUND', {}, `There is no dead letter ${id}.`);
  const options = { formToken, fields: { id } };
  return {
    title: letter.job,
    main: html`${facts([
      ['Failed', time(letter.failedAt)],
      ['Attempts', letter.attempts],
      ['Id', html`<code>${letter.id}</code>`],
    ])}
        <h2>Error</h2>
        <pre class="error">${orDash(letter.error)}</pre>
        <h2>Content</h2>
        <pre>${JSON.stringify(withoutSecrets(letter.payload), null, 2)}</pre>
        <div class="actions">
          ${button('Retry', { ...options, action: '/queues/retry' })}
          ${confirmed('Discard', 'The job is deleted for good; what it was to do is not done.', { ...options, action: '/queues/discard' })}
        </div>`,
  };
});

const retry = actionOf(retryJobVerb, { path: '/queues/retry', audit: 'jobs retry', to: '/queues' });
const discard = actionOf(discardJobVerb, { path: '/queues/discard', audit: 'jobs discard', to: '/queues' });

export default defineSection({
  name: 'queues',
  label: 'Queues',
  order: 2,
  pages: [list, show],
  actions: [retry, discard],
});

/** SVG drawings of 500,000 elements, and of the largest accepted size, from eight accounts at once. */
import { inParallel, keepAlive, outcomes, send } from '#test/support/abuse/clients.ts';
import { probeDuring } from '#test/support/abuse/probe.ts';
import { benchKey } from '../support/accounts.ts';
import { below, check } from '../support/rows.ts';
import type { Row } from '../support/rows.ts';
import { probeText } from './target.ts';
import type { Scenario } from './target.ts';

const boundary = 'drawing';
const count = 8;
const part = (name: string, content: string, file = ''): string =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${content}\r\n`;
const drawingOf = (element: string, elements: number): Buffer =>
  Buffer.from(
    part('query', 'libraryUpload') +
      part(
        'file',
        `<svg xmlns="http://www.w3.org/2000/svg">${element.repeat(elements)}</svg>`,
        '; filename="a.svg"',
      ) +
      `--${boundary}--\r\n`,
  );

const sent = async (
  { url, tokens }: Parameters<Scenario>[0],
  name: string,
  body: Buffer,
  status: number,
): Promise<Row[]> => {
  const agent = keepAlive(count);
  const probed = await probeDuring(url, () =>
    inParallel(count, count, (i) =>
      send(`${url}/api`, {
        agent,
        headers: {
          'content-type': `multipart/form-data; boundary=${boundary}`,
          'content-length': String(body.length),
          authorization: `Bearer ${tokens[i]}`,
          'x-dev-key': benchKey,
          'x-forwarded-for': `203.0.113.${80 + i}`,
        },
        body: [body],
      }),
    ),
  );
  agent.destroy();
  return [
    check(
      `8 drawings of ${name}`,
      probed.result.every((each) => each.status === status),
      outcomes(probed.result),
      String(status),
    ),
    below('  /healthz max', probed.maxMs, 300, 'ms', ` (${probeText(probed)})`),
  ];
};

export const drawings: Scenario = async (target) => [
  ...(await sent(target, '500,000 elements', drawingOf('<g/>', 500_000), 415)),
  ...(await sent(target, '99,000 elements', drawingOf('<path d="M0 0L9 9"/>', 99_000), 200)),
];

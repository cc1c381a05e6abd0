import { randomBytes } from 'node:crypto';
import { html, trusted } from './html.ts';
import type { Html } from './html.ts';
import { navigation } from './shell.ts';

export interface PageAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

const style = trusted(`
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { margin: 0; background: Canvas; color: CanvasText; min-height: 100vh; display: grid; grid-template-rows: auto 1fr; justify-items: center; }
  main { width: min(24rem, calc(100vw - 3rem)); align-self: center; padding: 1rem 0 2rem; }
  .top { display: flex; flex-wrap: wrap; gap: .3rem 1.1rem; justify-self: stretch; box-sizing: border-box; padding: .8rem 1.5rem; border-bottom: 1px solid #8886; }
  .top a { color: inherit; text-decoration: none; }
  .top a:first-child { margin-right: auto; font-weight: 650; }
  .top a:hover { text-decoration: underline; }
  @media (max-width: 30rem) { .top a:first-child { flex-basis: 100%; } }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: 1rem 0; }
  dt { opacity: .75; }
  dd { margin: 0; overflow-wrap: anywhere; }
  h1 { font-size: 1.4rem; }
  label, input, button { display: block; width: 100%; box-sizing: border-box; font: inherit; }
  input { margin: .3rem 0 1rem; padding: .6rem; border: 1px solid #8889; border-radius: .4rem; }
  button { padding: .7rem; border: 0; border-radius: .4rem; background: #0b5cad; color: #fff; cursor: pointer; }
  a.button { display: block; padding: .7rem; border-radius: .4rem; background: #0b5cad; color: #fff; text-align: center; text-decoration: none; }
  :is(a, button, input):focus-visible { outline: .2rem solid #e08a00; outline-offset: .15rem; }
  a, b { overflow-wrap: anywhere; }
  .code { padding: .6rem; border: 1px dashed #8889; border-radius: .4rem; text-align: center; font-size: 1.5rem; letter-spacing: .15em; }
  [role=alert] { padding: .6rem; border-left: .25rem solid #c62828; background: #c6282822; }
`);

/**
 * A small page without scripts: only its style and forms to this service are allowed.
 */
export const page = (status: number, title: string, main: Html, head = html``): PageAnswer => {
  const nonce = randomBytes(16).toString('base64');
  const body = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${head}<style nonce="${nonce}">${style}</style>
</head>
<body>
${navigation()}
<main>
<h1>${title}</h1>
${main}
</main></body>
</html>
`.text;
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `default-src 'none'; style-src 'nonce-${nonce}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
      'X-Frame-Options': 'DENY',
    },
    body,
  };
};

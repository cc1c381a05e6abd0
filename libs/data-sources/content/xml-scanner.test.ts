import { SaxesParser } from 'saxes';
import { expect, test } from 'vitest';
import { ContentError } from './walk.ts';
import { createNames, nameOf } from './xml-names.ts';
import { createScanner } from './xml-scanner.ts';
import { resolve, textOf } from './xml-text.ts';
import { createWindow } from './xml-window.ts';

const samples = [
  '<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE svg><svg xmlns="http://www.w3.org/2000/svg" xmlns:x="urn:x"><x:g x:a="1" b=\'2 &amp; 3\'><!-- c --><path d="M0 0"/>t &lt; &#65;&#x42; é漢😀&#x1F600;&#xe9;</x:g><style><![CDATA[a<b]]></style></svg>\n',
  '<a:b xmlns:a="urn:a"><a:c xmlns:a="urn:b" a:d="e"><f xmlns="urn:f" g="h"/></a:c><i j = "k"  l="m" ></i >\n<n/></a:b><!-- end -->',
];
const pieces = [
  ...'<>/="\'&;:!-[]? \nxa'.split(''),
  '<!--',
  '-->',
  ']]>',
  '<![CDATA[',
  'xmlns=""',
  '&amp;',
  '&#x41;',
  '<g/>',
  '<?x?>',
  'xmlns:a="urn:z"',
];

/** Always the same numbers, so that a failure can be repeated. */
const numbers = (seed: number) => {
  let state = seed;
  return (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
};

const never = (): never => {
  throw new Error('a piece is too long');
};

/** What a document consists of, texts joined; null when it is refused. It arrives and is scanned in pieces of this size. */
const scanned = (text: string, size: number): string | null => {
  const events: string[] = [];
  let texts = '';
  const flush = (): void => {
    if (texts !== '') events.push(`text ${texts}`);
    texts = '';
  };
  const names = createNames();
  const scanner = createScanner(names, {
    open: ({ local, uri, bytes, count, locals, uris, froms, tos }) => {
      flush();
      const list = Array.from({ length: count }, (_, i) => [
        nameOf(names, uris[i] ?? -1),
        nameOf(names, locals[i] ?? -1),
        textOf(bytes, froms[i] ?? 0, tos[i] ?? 0).replaceAll('\n', ' '),
      ]);
      events.push(`open ${nameOf(names, uri)} ${nameOf(names, local)} ${JSON.stringify(list)}`);
    },
    close: () => {
      flush();
      events.push('close');
    },
    text: (bytes, from, to, hasReferences) => {
      texts += textOf(bytes, from, hasReferences ? resolve(bytes, from, to) : to);
    },
    doctype: (value) => {
      if (value !== ' svg') throw new ContentError('a document type');
    },
  });
  const window = createWindow({
    scan: scanner.scan,
    minScannedBytes: size,
    maxPieceBytes: 10_000,
    tooLong: never,
  });
  try {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += size) window.push(bytes.subarray(at, at + size));
    return window.end().trim() === '' && scanner.isComplete() ? events.join('\n') : null;
  } catch (error) {
    if (error instanceof ContentError) return null;
    throw error;
  }
};

/** The same by a complete parser. */
const parsed = (text: string): string | null => {
  const events: string[] = [];
  let texts = '';
  const flush = (): void => {
    if (texts !== '') events.push(`text ${texts}`);
    texts = '';
  };
  const parser = new SaxesParser({ xmlns: true });
  let depth = 0;
  parser.on('opentag', ({ local, uri, attributes }) => {
    flush();
    depth += 1;
    const list = Object.values(attributes).map((each) => [each.uri, each.local, each.value]);
    events.push(`open ${uri} ${local} ${JSON.stringify(list)}`);
  });
  parser.on('closetag', () => {
    flush();
    depth -= 1;
    events.push('close');
  });
  const take = (value: string): void => {
    if (depth > 0) texts += value;
  };
  parser.on('text', take);
  parser.on('cdata', take);
  parser.on('error', (error) => {
    throw error;
  });
  try {
    parser.write(text).close();
    return events.join('\n');
  } catch {
    // Refused, for whatever reason.
    return null;
  }
};

test('Whatever is accepted is read as a complete parser reads it, in pieces of any size', () => {
  const next = numbers(7);
  let accepted = 0;
  for (let round = 0; round < 6_000; round += 1) {
    let text = samples[round % samples.length] ?? '';
    for (let change = next(3); change >= 0; change -= 1) {
      const at = next(text.length);
      const piece = pieces[next(pieces.length)] ?? '';
      text = text.slice(0, at) + (next(2) === 0 ? piece : '') + text.slice(at + next(3));
      text = text.toWellFormed();
    }
    const found = scanned(text, text.length);
    expect([text, scanned(text, round % 8 === 0 ? 1 : 7)]).toEqual([text, found]);
    if (found === null) continue;
    accepted += 1;
    expect([text, found]).toEqual([text, parsed(text)]);
  }
  expect(accepted).toBeGreaterThan(500);
});

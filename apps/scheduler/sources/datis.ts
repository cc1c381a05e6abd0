/** D-ATIS files of the online networks. */
import { filesIn, isFolder } from '#data/feeds/fetch.ts';
import { SourceError, shownAddress } from '#domain/source-error.ts';
import type { FeedScope, FeedSource } from '../define-feed.ts';
import { contentOf } from './content.ts';

type FileName = 'vatsim-data.json' | 'ivao-whazzup.json' | 'ivao-atis.json';

/** Per address, the text or the error. */
export type Texts = Map<FileName, string | Error>;

export const networks = ['IVAO', 'VATSIM'] as const;
export type Network = (typeof networks)[number];

export const networkOf: Readonly<Record<FileName, Network>> = {
  'ivao-atis.json': 'IVAO',
  'ivao-whazzup.json': 'IVAO',
  'vatsim-data.json': 'VATSIM',
};

/** Which of the three files a text is, by its content. */
const kindOf = (text: string, shown: string): FileName => {
  const head = text.slice(0, 20_000);
  if (/^\s*\[/.test(head)) return head.includes('"sessionId"') ? 'ivao-atis.json' : 'vatsim-data.json';
  if (head.includes('"clients"') || text.includes('"atcs"')) return 'ivao-whazzup.json';
  if (head.includes('"general"') || text.includes('"text_atis"')) return 'vatsim-data.json';
  throw new SourceError('CORRUPT', `${shown} is not an ATIS file of a known network.`);
};

/** A folder with any of the three files, or one file of any name. All of it must be readable. */
const readOverride = async (scope: FeedScope, address: string): Promise<Texts> => {
  const text = async (file: string) => (await contentOf(scope, file)).bytes.toString('utf8');
  if (!(await isFolder(address))) {
    const content = await text(address);
    return new Map([[kindOf(content, shownAddress(address)), content]]);
  }
  const texts: Texts = new Map();
  const files = await filesIn(address);
  for (const name of ['vatsim-data.json', 'ivao-whazzup.json', 'ivao-atis.json'] as const) {
    const file = files.find((each) => each.name === name || each.name === `${name}.gz`);
    if (file) texts.set(name, await text(file.address));
  }
  if (texts.size === 0)
    throw new SourceError(
      'NOT_FOUND',
      `${shownAddress(address)} contains none of vatsim-data.json, ivao-whazzup.json and ivao-atis.json.`,
    );
  return texts;
};

/** All three addresses; a failing one yields its error, so that the other network continues. */
const readNetworks = async (scope: FeedScope): Promise<Texts | null> => {
  const { IVAO_URL, VATSIM_URL } = scope.config;
  const texts: Texts = new Map();
  for (const [name, address] of [
    ['ivao-atis.json', `${IVAO_URL}/atis`],
    ['ivao-whazzup.json', IVAO_URL],
    ['vatsim-data.json', VATSIM_URL],
  ] as const) {
    try {
      // The lists change every few seconds, and half a network is useless.
      const fetched = await scope.fetch(address, { conditional: false });
      if (fetched.kind === 'data') texts.set(name, fetched.bytes.toString('utf8'));
    } catch (error) {
      if (scope.signal.aborted) throw error;
      texts.set(name, error instanceof Error ? error : new Error(String(error)));
    }
  }
  return texts.size === 0 ? null : texts;
};

export const textOf = (texts: Texts, name: FileName): string | null => {
  const text = texts.get(name);
  return typeof text === 'string' ? text : null;
};

export const datisSource = (scope: FeedScope): FeedSource<Texts> => {
  const { override, config } = scope;
  if (override !== undefined)
    return { label: shownAddress(override), read: () => readOverride(scope, override) };
  const label = `${shownAddress(config.IVAO_URL)}, ${shownAddress(config.VATSIM_URL)}`;
  return { label, read: () => readNetworks(scope) };
};

import type { NetworkAAtisRecord, NetworkBAtisRecord } from '#domain/weather/datis.ts';
import type { Reject } from '#domain/weather/types.ts';
import { FeedFormatError } from '../../weather/feed-error.ts';
import { parseIvaoAtis } from './ivao.ts';
import { parseVatsimAtis } from './vatsim.ts';

/**
 * The texts of one run; null where a source was not read. Names are those of a folder given on the command
 * line.
 */
export interface DatisTexts {
  'vatsim-data.json': string | null;
  'ivao-whazzup.json': string | null;
  'ivao-atis.json': string | null;
}

export interface DatisSnapshot {
  /** The whole set of a network, to replace the stored one; null = that network was not read, keep what is stored. */
  networkA: NetworkAAtisRecord[] | null;
  networkB: NetworkBAtisRecord[] | null;
  rejects: Reject[];
}

/**
 * Both networks' ATIS from whichever texts are present. Throws FeedFormatError when there is none or one is
 * invalid.
 */
export const parseDatis = (texts: DatisTexts): DatisSnapshot => {
  const { 'vatsim-data.json': vatsim, 'ivao-whazzup.json': whazzup, 'ivao-atis.json': atis } = texts;
  if (vatsim === null && whazzup === null && atis === null) {
    throw new FeedFormatError('EMPTY', `None of ${Object.keys(texts).join(', ')} is there.`);
  }
  const a = whazzup === null && atis === null ? null : parseIvaoAtis(atis, whazzup);
  const b = vatsim === null ? null : parseVatsimAtis(vatsim);
  return {
    networkA: a?.records ?? null,
    networkB: b?.records ?? null,
    rejects: [...(a?.rejects ?? []), ...(b?.rejects ?? [])],
  };
};

import { check } from '../support/rows.ts';
import type { Row } from '../support/rows.ts';
import type { Ending } from './campaign.ts';

const few = (texts: readonly string[]): string =>
  texts.length === 0 ? '0' : `${texts.length}: ${texts.slice(0, 3).join('; ').slice(0, 300)}`;

export const rowsOf = (ending: Ending, edits: number, kills: number): Row[] => [
  check(
    'edits',
    ending.edits === edits,
    `${ending.edits}, ${ending.acknowledged} acknowledged, ${ending.merged} made again over another, ${ending.conflicts} given up in a conflict`,
    `${edits}`,
  ),
  check('kills of pads', ending.kills === kills, `${ending.kills}`, `${kills}`),
  check('crashes of pads', ending.crashes.length === 0, few(ending.crashes), '0'),
  check('lost without a conflict', ending.lost.length === 0, few(ending.lost), '0'),
  check('neither acknowledged nor in conflict', ending.forgotten.length === 0, few(ending.forgotten), '0'),
  check('applied twice', ending.twice.length === 0, few(ending.twice), '0'),
  check('deleted rows recreated unseen', ending.raised.length === 0, few(ending.raised), '0'),
  check('rows that a device shows otherwise', ending.different.length === 0, few(ending.different), '0'),
];

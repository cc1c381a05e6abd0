/** Kinds of edits: how each sends the contents of a row, and where answers contain them. */
import { pdfOf } from '#test/support/documents.ts';
import { documentOf, itemOf, pageOf } from '#test/support/checklists.ts';
import { idOf } from '../../../clients/typescript/src/outbox/index.ts';
import type { NewEdit } from '../../../clients/typescript/src/outbox/index.ts';

export const kinds = [
  'flightData',
  'checklist',
  'fleet',
  'folder',
  'file',
  'profile',
  'preferences',
  'share',
] as const;
export type Kind = (typeof kinds)[number];

/** Kinds of rows that collect the additions of all pads; the others have one value, which is replaced. */
export const isList = (kind: Kind): boolean => kind === 'flightData' || kind === 'checklist';

export interface Shown {
  /** Each mark names the edit that added it. */
  marks: readonly string[];
  /** For a file: the row of its folder. */
  inside?: string | null;
}

export type Action = 'put' | 'remove' | 'move' | 'replace';

/** Note on an edit in the outbox. */
export interface Memo {
  action: Action;
  marks: readonly string[];
}

export const kindOf = (row: string): Kind => row.split(' ')[0] as Kind;
export const keyOf = (row: string): string => row.slice(row.indexOf(' ') + 1);

const checklistOf = (marks: readonly string[]) =>
  documentOf({
    checklists: [pageOf({ items: marks.map((challenge, order) => itemOf({ challenge, order })) })],
  });
export const marksOfChecklist = (document: {
  checklists: readonly { items: readonly { challenge: string }[] }[];
}): string[] => document.checklists.flatMap(({ items }) => items.map(({ challenge }) => challenge));

const insideOf = ({ inside = null }: Shown) => (inside === null ? null : idOf(inside));
const fileOf = (name: string) => ({
  name,
  type: 'application/pdf',
  bytes: new Uint8Array(pdfOf(name)),
});

const mailHost = '@bad-network.example';
export const markOfMail = (email: string | null): string => (email ?? '').replace(mailHost, '');

/** The edit that stores these contents; `isNew`: there is no such row in the service. */
const puts: Record<Kind, (row: string, shown: Shown, isNew: boolean) => object> = {
  flightData: (row, { marks }) => {
    const [ofpId, dataKey] = keyOf(row).split(' ');
    return { query: 'flightDataSave', data: { ofpId, dataKey, payload: marks } };
  },
  checklist: (row, { marks }, isNew) => ({
    query: 'checklistSave',
    data: {
      name: marks[0],
      checklist: checklistOf(marks),
      ...(isNew ? {} : { checklistId: idOf(row) }),
    },
  }),
  fleet: (row, { marks }) => ({
    query: 'fleetSave',
    data: {
      registration: keyOf(row),
      basedOnProfile: 'A320-214',
      profileData: { weight: { mslw: 64_500 } },
      variant: marks[0],
    },
  }),
  folder: (row, { marks: [name] }, isNew) =>
    isNew
      ? { query: 'libraryFolderCreate', data: { name } }
      : { query: 'libraryFolderRename', data: { name, folderId: idOf(row) } },
  file: (row, shown, isNew) =>
    isNew
      ? {
          query: 'libraryUpload',
          data: { name: shown.marks[0], folderId: insideOf(shown) },
          file: fileOf(shown.marks[0] ?? ''),
        }
      : { query: 'libraryFileRename', data: { name: shown.marks[0], fileId: idOf(row) } },
  profile: (_, { marks }) => ({ query: 'updateProfile', data: { firstname: marks[0] } }),
  preferences: (_, { marks }) => ({
    query: 'saveUserSettings',
    data: { planner: { plannerImportOption: marks[0] } },
  }),
  share: (row, { marks }) => ({
    query: 'ofpShare',
    data: { ofpId: keyOf(row).split(' ')[0], permission: 'view', sharedWithEmail: `${marks[0]}${mailHost}` },
  }),
};

const removals: Partial<Record<Kind, (row: string) => object>> = {
  flightData: (row) => {
    const [ofpId, dataKey] = keyOf(row).split(' ');
    return { query: 'flightDataDelete', data: { ofpId, dataKey } };
  },
  checklist: (row) => ({ query: 'checklistDelete', data: { checklistId: idOf(row) } }),
  fleet: (row) => ({ query: 'fleetDelete', data: { registration: keyOf(row) } }),
  folder: (row) => ({ query: 'libraryFolderDelete', data: { folderId: idOf(row) } }),
  file: (row) => ({ query: 'libraryFileDelete', data: { fileId: idOf(row) } }),
  share: (row) => ({ query: 'ofpShareRevoke', data: { id: idOf(row) } }),
};

export const isRemovable = (kind: Kind): boolean => removals[kind] !== undefined;

/** `marks`: the marks added by this edit. */
export const putEdit = (
  row: string,
  shown: Shown,
  { marks, isNew, action = 'put' }: { marks: readonly string[]; isNew: boolean; action?: Action },
): NewEdit => {
  const memo: Memo = { action, marks };
  if (action === 'move')
    return {
      query: 'libraryFileMove',
      data: { fileId: idOf(row), folderId: insideOf(shown) },
      memo,
    } as unknown as NewEdit;
  if (action === 'replace')
    return {
      query: 'libraryUpload',
      data: { fileId: idOf(row), name: shown.marks[0] },
      file: fileOf(shown.marks[0] ?? ''),
      memo,
    } as unknown as NewEdit;
  return { ...puts[kindOf(row)](row, shown, isNew), memo } as NewEdit;
};

export const removalOf = (row: string, mark: string): NewEdit => {
  const memo: Memo = { action: 'remove', marks: [mark] };
  return { ...removals[kindOf(row)]?.(row), memo } as NewEdit;
};

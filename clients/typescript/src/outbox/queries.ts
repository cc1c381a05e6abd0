import type { Input, Output, QueryName } from '../types.ts';

interface Written {
  /** The row's current revision; null: it was deleted. */
  revision: number | null;
  /** The id assigned by the service. */
  id?: string;
}

type Reader<Q extends QueryName> = (answer: Output<Q>) => Written;

const gone = (): Written => ({ revision: null });

/**
 * The row comes from an earlier call with this `clientId` and may have been changed since: later edits must not treat
 * its revision as seen.
 */
const revisionOfAlready = 1;

/** Queries that an outbox can send, and where their answers contain the revision. */
const writtenBy = {
  flightDataSave: ({ data }) => ({ revision: data.version }),
  flightDataRestore: ({ data }) => ({ revision: data.version }),
  flightDataDelete: gone,
  checklistSave: ({ data }) => ({ revision: data.revision, id: data.checklistId }),
  checklistDelete: gone,
  fleetSave: ({ data }) => ({ revision: data.revision }),
  fleetDelete: gone,
  libraryFolderCreate: ({ folder }) => ({ revision: Number(folder.revision), id: folder.id }),
  libraryFolderRename: ({ folder }) => ({ revision: Number(folder.revision) }),
  libraryFolderDelete: gone,
  libraryUpload: ({ revision, fileId }) => ({ revision: Number(revision), id: fileId }),
  libraryFileRename: ({ file }) => ({ revision: Number(file.revision) }),
  libraryFileMove: ({ file }) => ({ revision: Number(file.revision) }),
  libraryFileDelete: gone,
  saveUserSettings: ({ revision }) => ({ revision }),
  updateProfile: ({ user }) => ({ revision: user.revision }),
  ofpDelete: gone,
  ofpShare: ({ share }) => ({ revision: share.revision, id: String(share.id) }),
  ofpShareRevoke: ({ share }) => ({ revision: share.revision }),
} satisfies { [Q in QueryName]?: Reader<Q> };

export type EditQuery = keyof typeof writtenBy;

/** True: an earlier call has created the row, which may have changed since. */
export const isAlready = (answer: Output<EditQuery>): boolean =>
  'already' in answer || ('data' in answer && 'already' in answer.data);

export const written = (query: EditQuery, answer: Output<EditQuery>): Written =>
  isAlready(answer)
    ? { ...(writtenBy[query] as Reader<EditQuery>)(answer), revision: revisionOfAlready }
    : (writtenBy[query] as Reader<EditQuery>)(answer);

/** Queries that always create a row, and those without a revision. */
const creates: ReadonlySet<EditQuery> = new Set(['libraryFolderCreate', 'ofpShare']);
const createsWithoutRow: ReadonlySet<EditQuery> = new Set(['checklistSave', 'libraryUpload']);

/** True: it creates a row, which the service recognises by its `clientId`, however late it is repeated. */
export const isCreation = (query: EditQuery, revision: number): boolean =>
  creates.has(query) || (revision === 0 && createsWithoutRow.has(query));

/** A deletion by another device, or an addition to a row deleted here, is not overwritten. */
const refusals: Partial<Record<EditQuery, object>> = {
  flightDataSave: { ifDeleted: 'refuse' },
  libraryFolderDelete: { ifNotEmpty: 'refuse' },
};

/** `data` with the revision that the edit builds on; 0: the row must not exist yet. */
export const guarded = (query: EditQuery, data: object, revision: number, clientId: string): object =>
  isCreation(query, revision)
    ? { ...data, clientId }
    : { ...(revision > 0 ? refusals[query] : {}), ...data, expectedVersion: revision };

export type EditData<Q extends EditQuery> = Omit<NonNullable<Input<Q>>, 'expectedVersion' | 'clientId'>;

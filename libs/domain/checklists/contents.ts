/** The stored contents of a checklist. */
import type { ChecklistDocument } from './document.ts';

export interface ChecklistContents {
  name: string;
  version: string;
  description: string | null;
  aircraftTypes: string[];
  basedOn: string | null;
  /** Current revision of the original; null: unknown. */
  originRevision: number | null;
  shareCommunity: boolean;
  document: ChecklistDocument;
}

/** Undefined fields stay unchanged. */
export type ChecklistChanges = Pick<ChecklistContents, 'name' | 'document'> & {
  [K in Exclude<keyof ChecklistContents, 'name' | 'document'>]?: ChecklistContents[K] | undefined;
} & {
  /** The original's revision that the client has last compared. */
  comparedRevision?: number | undefined;
};

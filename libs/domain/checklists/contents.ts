/** What is stored of a checklist. */
import type { ChecklistDocument } from './document.ts';

export interface ChecklistContents {
  name: string;
  version: string;
  description: string | null;
  aircraftTypes: string[];
  basedOn: string | null;
  /** Of what it is based on, as it is now; null: not known. */
  originRevision: number | null;
  shareCommunity: boolean;
  document: ChecklistDocument;
}

/** Undefined fields keep their values. */
export type ChecklistChanges = Pick<ChecklistContents, 'name' | 'document'> & {
  [K in Exclude<keyof ChecklistContents, 'name' | 'document'>]?: ChecklistContents[K] | undefined;
} & {
  /** The revision of the original that the client has compared with. */
  comparedRevision?: number | undefined;
};

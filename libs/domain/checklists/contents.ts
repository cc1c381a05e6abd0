/** What is stored of a checklist. */
import type { ChecklistDocument } from './document.ts';

export interface ChecklistContents {
  name: string;
  version: string;
  description: string | null;
  basedOn: string | null;
  shareCommunity: boolean;
  document: ChecklistDocument;
}

/** Undefined fields keep their values. */
export type ChecklistChanges = Pick<ChecklistContents, 'name' | 'document'> & {
  [K in Exclude<keyof ChecklistContents, 'name' | 'document'>]?: ChecklistContents[K] | undefined;
};

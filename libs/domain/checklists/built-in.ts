import { z } from 'zod';
import { checklistDocumentSchema, isAircraftType } from './document.ts';
import type { ChecklistDocument } from './document.ts';
import type { ChecklistHead } from './file.ts';

/** A file in `built-in/`: the document with description and aircraft types. */
export const builtInFileSchema = z.strictObject({
  description: z.string().max(255),
  aircraftTypes: z.array(z.string().refine(isAircraftType)).min(1),
  document: checklistDocumentSchema.extend({
    name: z.string().min(1).max(150),
    version: z.string().min(1).max(30),
  }),
});

export interface BuiltInChecklist extends ChecklistHead {
  /** File name without `.json`. */
  file: string;
  description: string;
  /** Changes with the document, so that a copy can tell that its original has changed. */
  revision: number;
  document: ChecklistDocument;
}

/** The checklists that come with the service, by name. */
export type BuiltInChecklists = readonly BuiltInChecklist[];

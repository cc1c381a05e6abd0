export interface CacheChange {
  kind: string;
  /** `*` among them: everything of the kind. */
  ids: string[];
}

/** What one process of the service tells the others, each of which would find it out by itself a little later. */
export type Announcement =
  /** Something that caches hold was changed; what it is, only the process that changed it is told. */
  | { topic: 'changes'; changes: readonly CacheChange[] }
  /** There is a job of this name. */
  | { topic: 'job'; id: string }
  /** A picture of this calculation or upload is ready. */
  | { topic: 'picture'; id: string };

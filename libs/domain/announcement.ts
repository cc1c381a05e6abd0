/** What one process of the service tells the others, each of which would find it out by itself a little later. */
export type Announcement =
  /** There is a job of this name. */
  | { topic: 'job'; id: string }
  /** A picture of this calculation or upload is ready. */
  | { topic: 'picture'; id: string };

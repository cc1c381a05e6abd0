/** Notifications between processes of the service, each of which would notice the change a little later by itself. */
export type Announcement =
  /** A job with this name was enqueued. */
  | { topic: 'job'; id: string }
  /** A picture of this calculation or upload was drawn. */
  | { topic: 'picture'; id: string };

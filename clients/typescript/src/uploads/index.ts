export { uploadResumable } from './resumable.ts';
export type { ResumableOptions, Tus, Uploaded } from './resumable.ts';

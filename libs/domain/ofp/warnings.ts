/** Values of a plan that could not be used. No plan is refused because of them. */
import { z } from 'zod';

export const ofpWarningSchema = z.strictObject({
  code: z.string(),
  /** Path in the document, `navlog.fix[3].wind_dir`; of several similar ones, the first. */
  path: z.string(),
  message: z.string(),
  /** Number of similar values; absent for one. */
  count: z.int().optional(),
});
export type OfpWarning = z.output<typeof ofpWarningSchema>;

const maxKinds = 50;
const maxMessage = 300;

/** Groups warnings by code and kind of path: the same fault in 300 fixes is one warning with a count. */
export const createWarnings = () => {
  const found = new Map<string, OfpWarning & { count: number }>();
  return {
    add: (code: string, path: string, message: string): void => {
      const key = `${code} ${path.replaceAll(/\[\d+\]/g, '[]')}`;
      const known = found.get(key);
      if (known) known.count += 1;
      else if (found.size < maxKinds)
        found.set(key, { code, path, message: message.slice(0, maxMessage).toWellFormed(), count: 1 });
    },
    list: (): OfpWarning[] =>
      [...found.values()].map(({ count, ...warning }) => (count === 1 ? warning : { ...warning, count })),
  };
};

export type Warnings = ReturnType<typeof createWarnings>;

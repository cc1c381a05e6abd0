import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { deleteFile, putDocument } from '#commands/library.ts';
import { ContentError } from '#data/content/source.ts';
import { inspectFile } from '#data/content/inspect-file.ts';
import { storedContent } from '#store/postgres/library/files.ts';
import { createLogger } from '#platform/log/log.ts';
import { libraryListRepo } from '#store/postgres/library/entries.ts';
import { createStorage } from '#store/storage/storage.ts';
import { withNewFile } from '#store/storage/with-new-file.ts';
import type { FileWriting } from '#store/storage/with-new-file.ts';
import { maxFileName, nameField, nameOfFile } from '#domain/library/names.ts';
import { codeOf, DomainError } from '#domain/errors.ts';
import { findVa } from '../find.ts';
import { integer, maybeInteger, maybeText, oneOf, row, text } from '../flags.ts';
import type { Trail } from '../audited.ts';
import { change, localVerb, UsageError, view } from '../verb.ts';
import type { LocalTools, Noun, ViewTools } from '../verb.ts';

const ownerFlags = {
  owner: oneOf(['system', 'va'], 'system: for every user. va: for the members of an airline.'),
  va: maybeText('Name of the airline, for va.'),
};

const ownerOf = async (
  { db }: Pick<ViewTools, 'db'>,
  { owner, va }: { owner: 'system' | 'va'; va?: string | undefined },
) => {
  if ((owner === 'va') !== (va !== undefined))
    throw new UsageError('--va is required with --owner va, and only there');
  if (va === undefined) return { owner: { type: 'system' as const }, quotaMb: null };
  const { id, libraryQuotaMb } = await findVa(db, va);
  return { owner: { type: 'va' as const, vaId: id }, quotaMb: libraryQuotaMb };
};

/** Works on a copy that may be moved into storage. */
const withCopy = async <T>(
  { config }: LocalTools,
  file: string,
  work: (copy: string) => Promise<T>,
): Promise<T> => {
  const folder = join(config.DATA_DIR, 'uploads');
  const copy = join(folder, randomUUID());
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await copyFile(file, copy);
    return await work(copy);
  } catch (error) {
    if (error instanceof ContentError)
      throw new DomainError('UNSUPPORTED_TYPE', {}, `${file}: ${error.message}.`);
    if (codeOf(error) === 'ENOENT') throw new DomainError('FILE_NOT_FOUND', {}, `There is no file ${file}.`);
    throw error;
  } finally {
    await rm(copy, { force: true });
  }
};

export const library: Noun = {
  name: 'library',
  title: 'Library',
  summary: 'Documents of the service and of airlines.',
  kind: 'library file',
  verbs: {
    put: localVerb({
      summary: 'Publishes a file; one with the same name in the same folder is replaced.',
      flags: {
        ...ownerFlags,
        folder: {
          schema: z
            .string()
            .default('')
            .transform((path) => path.split('/').filter((part) => part !== '')),
          text: 'Path of the folder, for example Manuals/A320; it is created. Default: the root.',
        },
        minLevel: maybeInteger('Lowest product level that sees it, also of created folders; default 0.', 0),
        file: text('PDF, JPG, PNG, GIF, WebP or SVG.'),
        name: maybeText('Name; default: that of the file.'),
      },
      run: async (ops, values) => {
        const { owner, quotaMb } = await ownerOf(ops, values);
        if (quotaMb === 0)
          throw new DomainError(
            'STORAGE_NOT_INCLUDED',
            {},
            `${values.va} has no storage: va update --library-quota-mb.`,
          );
        const name = values.name ?? nameOfFile(basename(values.file));
        if (!nameField(maxFileName).safeParse(name).success)
          throw new UsageError('--name cannot be the name of a file');
        const { single, clock } = ops;
        const storage = createStorage(ops.config);
        const saved = await withCopy(ops, values.file, async (copy) => {
          const content = storedContent(await inspectFile(copy));
          const path = values.folder;
          const document = { owner, quotaMb, content, name, path, minProductLevel: values.minLevel };
          const { storageKey: key, mimeType } = content;
          // Silent, since a command prints only its answer, and the sweep removes the file of a failed write anyway.
          const log = createLogger('ops', 'silent');
          let trailOfChange: Trail | undefined;
          const transaction: FileWriting['transaction'] = (work) =>
            ops.change((tx, trail) => {
              trailOfChange = trail;
              return work(tx);
            });
          return withNewFile(
            { prepare: { single }, transaction, clock, storage, log },
            {
              key,
              put: () => storage.putFile(key, copy, mimeType),
              refer: async (tx) => {
                const stored = await putDocument(tx, { clock, jobs: ops.jobs }, document);
                trailOfChange?.created('library file', stored.id);
                return stored;
              },
            },
          );
        });
        return { data: { file: saved } };
      },
    }),
    list: view({
      summary: 'Lists the documents of the service or of an airline.',
      flags: ownerFlags,
      run: async (ops, values) => {
        const { owner } = await ownerOf(ops, values);
        return {
          data: { files: await libraryListRepo(ops.db).documents(owner) },
          offers: () => ['remove'],
        };
      },
    }),
    remove: change({
      summary: 'Deletes a document for good.',
      isIrreversible: true,
      flags: { ...ownerFlags, id: row('library file', integer('Id of the file (library list).')) },
      run: async (tools, { id: fileId, ...values }) => {
        const { owner } = await ownerOf(tools, values);
        await deleteFile(tools.tx, tools, { owner, fileId });
      },
    }),
  },
};

/** `npm run docs`: writes the documents generated from the declarations. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { referenceText } from './reference.ts';
import { loadRegistries } from '../registry.ts';
import { actionsText } from './actions.ts';
import { cautionPage } from './caution-page.ts';
import { clientTypes } from './client/types.ts';
import { configurationReference } from './configuration.ts';
import { withEndings } from './endings-table.ts';
import { withRetentions } from './retentions-table.ts';
import { errorPage } from './error-page.ts';

const docs = join(import.meta.dirname, '../../../docs');
const registries = await loadRegistries();
const { queries: registry, actions, webhooks } = registries;
writeFileSync(join(docs, 'queries.md'), referenceText(registry));
writeFileSync(join(docs, 'actions.md'), actionsText({ actions, webhooks }));
writeFileSync(join(docs, 'configuration.md'), configurationReference());
writeFileSync(join(docs, 'guide/errors.md'), errorPage(registries));
writeFileSync(join(docs, 'guide/cautions.md'), cautionPage());
const users = join(docs, 'users.md');
writeFileSync(users, withEndings(readFileSync(users, 'utf8')));
const operations = join(docs, 'operations.md');
writeFileSync(operations, withRetentions(readFileSync(operations, 'utf8')));
const generated = join(docs, '../clients/typescript/src/generated');
mkdirSync(generated, { recursive: true });
for (const [file, text] of clientTypes(registry.operations)) writeFileSync(join(generated, file), text);
console.log(`docs/queries.md: ${registry.operations.length} operations; docs/configuration.md`);

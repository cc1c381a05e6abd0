/** `npm run docs`: writes the documents generated from the declarations. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { referenceText } from './reference.ts';
import { loadRegistry } from '../registry.ts';
import { configurationReference } from './configuration.ts';

const docs = join(import.meta.dirname, '../../../docs');
const registry = await loadRegistry();
writeFileSync(join(docs, 'queries.md'), referenceText(registry));
writeFileSync(join(docs, 'configuration.md'), configurationReference());
console.log(`docs/queries.md: ${registry.operations.length} operations; docs/configuration.md`);

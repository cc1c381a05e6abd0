/** The rules of docs/style.md that oxlint does not provide. */
import { command, repository } from './data-access.ts';
import { getter } from './getter.ts';
import { errorClass, typeName, valueName } from './names.ts';
import { schemaName, schemaType } from './schema-names.ts';
import { testTitle } from './test-titles.ts';

export default {
  meta: { name: 'style' },
  rules: {
    'schema-name': schemaName,
    'schema-type': schemaType,
    'value-name': valueName,
    'type-name': typeName,
    'error-class': errorClass,
    'test-title': testTitle,
    getter,
    repository,
    command,
  },
};

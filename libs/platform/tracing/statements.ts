import { SpanKind } from '@opentelemetry/api';
import type { Tracer } from '@opentelemetry/api';
import { statementRun } from '../metrics/activities.ts';
import { openParent, spanAround } from './spans.ts';

interface Summary {
  operation: string;
  /** `SELECT app_user`: operation and first table. */
  name: string;
}

const summaryOf = (text: string): Summary => {
  const plain = text.replace(/--.*$/gm, ' ');
  const operation = (
    /\b(?:select|insert|update|delete|begin|commit|notify|truncate|copy|lock)\b/i.exec(plain)?.[0] ?? 'SQL'
  ).toUpperCase();
  const table = /\b(?:from|into|update|join|truncate|lock table)\s+(?:only\s+)?([a-z_][\w.]*)/i.exec(
    plain,
  )?.[1];
  return { operation, name: table === undefined ? operation : `${operation} ${table}` };
};

/** Texts are few and fixed; the limit is for fragments. */
const summaries = new Map<string, Summary>();
const summarised = (text: string): Summary => {
  const known = summaries.get(text);
  if (known) return known;
  const made = summaryOf(text);
  if (summaries.size < 2_000) summaries.set(text, made);
  return made;
};

/** A span per statement of a traced request or job; what runs in the background has none. */
export const watchStatements = (tracer: Tracer): (() => void) =>
  spanAround(tracer, statementRun, {
    begin: ({ text }) => {
      const parent = openParent();
      if (parent === null) return null;
      const { name, operation } = summarised(text);
      return {
        name,
        kind: SpanKind.CLIENT,
        parent,
        attributes: {
          'db.system.name': 'postgresql',
          'db.query.text': text,
          'db.query.summary': name,
          'db.operation.name': operation,
        },
      };
    },
    end: (span, { rows }) => {
      if (typeof rows === 'number') span.setAttribute('db.response.returned_rows', rows);
    },
  });

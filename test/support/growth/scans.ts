/**
 * What statements read, as Postgres measures it: its extension `auto_explain` sends the plan of each statement, those of triggers
 * included, as a notice to the connection that ran it.
 */
import { EventEmitter } from 'node:events';
import { Client } from 'pg';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

/** One scan of a table that read more rows than are allowed. */
export interface Scan {
  node: string;
  table: string;
  rows: number;
  statement: string;
}

const isScan = ({ 'Node Type': type, 'Relation Name': table }: PlanNode): boolean =>
  table !== undefined && type.endsWith('Scan');

const rowsOf = (node: PlanNode): number =>
  ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 1);

const scansOf = (node: PlanNode, statement: string, moreThan: number): Scan[] => {
  const inner = (node.Plans ?? []).flatMap((plan) => scansOf(plan, statement, moreThan));
  if (!isScan(node) || rowsOf(node) <= moreThan) return inner;
  return [
    { node: node['Node Type'], table: node['Relation Name'] ?? '', rows: rowsOf(node), statement },
    ...inner,
  ];
};

/** Sets a database so that its later connections send their plans. */
export const explainAll = async (databaseUrl: string): Promise<void> => {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const settings = {
    // As in a service, also with the values of a statement.
    plan_cache_mode: 'auto',
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_nested_statements': 'on',
    'auto_explain.log_format': 'json',
    'auto_explain.log_level': 'notice',
    'auto_explain.log_parameter_max_length': '0',
  };
  const name = client.escapeIdentifier(client.database ?? '');
  for (const [setting, value] of Object.entries(settings))
    await client.query(`ALTER DATABASE ${name} SET ${setting} = '${value}'`);
  await client.end();
};

/** Records scans of more than `moreThan` rows by connections of this process, until `end`. */
export const hearScans = (moreThan: number): { scans: Scan[]; statements: () => number; end: () => void } => {
  const scans: Scan[] = [];
  let statements = 0;
  Client.prototype.emit = function hear(this: Client, event: string, ...args: unknown[]) {
    const { message } = (args[0] ?? {}) as { message?: string };
    const json = event === 'notice' ? /^duration: .*?plan:\n([\s\S]*)$/.exec(message ?? '')?.[1] : undefined;
    if (json !== undefined) {
      statements += 1;
      const { 'Query Text': text, Plan: plan } = JSON.parse(json) as { 'Query Text': string; Plan: PlanNode };
      scans.push(...scansOf(plan, text, moreThan));
    }
    return EventEmitter.prototype.emit.call(this, event, ...args);
  };
  return {
    scans,
    statements: () => statements,
    end: () => {
      // Restores the inherited one.
      Reflect.deleteProperty(Client.prototype, 'emit');
    },
  };
};

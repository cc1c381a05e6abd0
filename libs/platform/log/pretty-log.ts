import { createRequire } from 'node:module';
import { basename } from 'node:path';
import type * as PinoPretty from 'pino-pretty';

type Line = Readonly<Record<string, unknown>>;

const infoLevel = 30;
const errorLevel = 50;
/** Shown elsewhere in the line, or of no use to a reader. */
const left = new Set(['level', 'time', 'app', 'msg', 'pid', 'hostname', 'err', 'trace_id', 'span_id']);

/** Local time of day of a time such as 2026-09-16T12:00:00.000Z. */
const timeOf = (text: string): string => new Date(text).toTimeString().slice(0, 8);

const isTime = (text: string): boolean => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text);

const short = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(short).join(',');
  if (typeof value !== 'string') return value === undefined ? '' : JSON.stringify(value);
  return isTime(value) ? timeOf(value) : value;
};

const pairs = (line: Line): string =>
  Object.entries(line)
    .filter(([name, value]) => !left.has(name) && value !== null && value !== '' && short(value) !== '')
    .map(([name, value]) => ` ${name}=${short(value)}`)
    .join('');

/** Files of this project, by name and line; frames of Node and of packages say little. */
const ownFrames = (stack: string): string =>
  stack
    .split('\n')
    .filter((frame) => /^\s+at /.test(frame) && !/node_modules|node:/.test(frame))
    .slice(0, 3)
    .map((frame) => `\n           ${frame.trim().replace(/file:\/\/\S*\//, (path) => `${basename(path)}/`)}`)
    .join('');

const reason = ({ err }: Line): string => {
  if (typeof err !== 'object' || err === null) return '';
  const message = 'message' in err ? String(err.message) : JSON.stringify(err);
  return `: ${message}${'stack' in err ? ownFrames(String(err.stack)) : ''}`;
};

interface Pretty {
  columns: number;
  isStyled: boolean;
}

/**
 * Turns a line of JSON into one for a reader: time, level above info, application, message, then the other fields as far as
 * the terminal is wide. The package is loaded only here: most processes write JSON.
 */
export const createPrettifier = ({ columns, isStyled }: Pretty): ((line: string) => string) => {
  const load = createRequire(import.meta.url);
  const { prettyFactory } = load('pino-pretty') as typeof PinoPretty;
  const prettify = prettyFactory({
    colorize: isStyled,
    hideObject: true,
    translateTime: 'SYS:HH:MM:ss',
    errorLikeObjectKeys: [],
    customPrettifiers: {
      // Without the brackets.
      time: String,
      level: (level, _key, line, { labelColorized }) => {
        const app = short((line as Line)['app']);
        return Number(level) === infoLevel ? app : `${labelColorized} ${app}`;
      },
    },
    messageFormat: (line) => {
      const message = short(line['msg']);
      const text = `${message}${pairs(line)}`;
      // Time and application are before it; the message itself is whole.
      const room = Math.max(message.length + 1, columns - 22);
      const isShort = text.length <= room || Number(line['level']) >= errorLevel;
      return `${isShort ? text : `${text.slice(0, room - 1)}…`}${reason(line)}`;
    },
  });
  return (line) => prettify(line) ?? line;
};

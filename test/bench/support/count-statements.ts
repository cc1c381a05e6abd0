/** Loaded into a benchmarked process before its own code: counts its statements, and collects its garbage when asked. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import pg from 'pg';

interface Sending {
  query: (text: string) => void;
  execute: (...config: unknown[]) => void;
}

let statements = 0;
const sending = pg.Connection.prototype as unknown as Sending;
const { query, execute } = sending;
sending.query = function count(this: Sending, text) {
  statements += 1;
  query.call(this, text);
};
sending.execute = function count(this: Sending, ...config) {
  statements += 1;
  execute.apply(this, config);
};

process.on('message', (message) => {
  if (message === 'statements') process.send?.({ statements });
  if (message === 'collect') {
    setFlagsFromString('--expose-gc');
    (runInNewContext('gc') as () => void)();
    process.send?.({ collected: true });
  }
});
// The message channel must not keep an otherwise finished process alive.
process.channel?.unref();

// `npm run env`: creates .env from .env.example with generated secrets, or adds the secrets that .env lacks. Existing
// values are kept. Plain JavaScript without packages, since it runs before anything is installed, on any Node.
const { randomBytes } = require('node:crypto');
const {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} = require('node:fs');

const args = process.argv.slice(2);
if (args.length > 0) {
  const isHelp = ['help', '--help', '-h'].includes(args[0]);
  const usage = 'usage: npm run env    creates .env with generated secrets, or adds those that it lacks';
  if (isHelp) console.log(usage);
  else console.error(usage);
  process.exit(isHelp ? 0 : 2);
}
const secrets = ['POSTGRES_PASSWORD', 'JWT_SECRET', 'ENCRYPTION_KEYS', 'SAFETY_CODE'];
const isThere = existsSync('.env');
const before = readFileSync(isThere ? '.env' : '.env.example', 'utf8');
let text = before.endsWith('\n') ? before : `${before}\n`;
const made = [];
for (const name of secrets) {
  if (new RegExp(`^${name}=.`, 'm').test(text)) continue;
  // Letters and digits of base64url need no quoting, in this file or in a URL.
  const line = `${name}=${randomBytes(36).toString('base64url')}`;
  const empty = new RegExp(`^${name}=$`, 'm');
  text = empty.test(text) ? text.replace(empty, line) : `${text}${line}\n`;
  made.push(name);
}
if (made.length > 0) {
  // Complete or absent, as every file that a start needs (libs/platform/files/atomic-file.ts).
  const temporary = `.env.${process.pid}.tmp`;
  const file = openSync(temporary, 'w', 0o600);
  writeSync(file, text);
  fsyncSync(file);
  closeSync(file);
  renameSync(temporary, '.env');
  if (process.platform !== 'win32') {
    const folder = openSync('.', 'r');
    fsyncSync(folder);
    closeSync(folder);
  }
}
chmodSync('.env', 0o600);
console.log(
  made.length > 0 ? `.env: generated ${made.join(', ')}` : '.env: all values are set, nothing was changed',
);

/**
 * Names of fields, headers and query parameters that carry secrets (M-5.8 and beyond), in any letter case and separator
 * style, with prefixes and suffixes.
 */

/** Secret wherever they appear in a name. M-5.8 requires all names with `token`. */
const anywhere =
  /token|passw|passphrase|passcode|passkey|pwd|secret(?!ar)|credential|authori[sz]ation|signature|cookie|jwt/;

/** Compound words, compared without separators; `renewApiKey` is a flag without a secret. */
const joinedWords =
  /(?<!renew)(?:api|dev|developer|access|private|signing|encryption|master|session|auth|licen[cs]e|client)key(?!id)|(?:share|shared|sharing|safety|verification|security|reset|invite|auth|device|user)code|sharelink|shareurl|deeplink|qrpayload|signedpayload|authheader/;

const wholeNames: ReadonlySet<string> = new Set([
  'hash',
  'address',
  'auth',
  'databaseurl',
  'redisurl',
  'smtpurl',
]);

const words: ReadonlySet<string> = new Set([
  'pass',
  'pin',
  'pins',
  'pincode',
  'pinnumber',
  'card',
  'cards',
  'otp',
  'totp',
  'cvv',
  'cvc',
  'iban',
  'oauth',
]);

/** `userpass` and `crewpin` are secrets, `compass` and `spin` are not. */
const harmlessPass = /(?:com|by|over|under|tres|sur|low|high|band|fly)pass$/;
const pinAfter = /^(?:user|crew|admin|login|new|old|my|access|account|security|card|sim|current|confirm)pin$/;
const cardBefore = /^card(?!i|b|s?$)/;
const cardAfter = /^(?:credit|debit|payment|bank|smart|id)cards?$/;

const isSecretWord = (word: string): boolean =>
  words.has(word) ||
  (word.endsWith('pass') && !harmlessPass.test(word)) ||
  pinAfter.test(word) ||
  cardBefore.test(word) ||
  cardAfter.test(word);

const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);

/** Longer texts are not field names; only the words above count in them. */
const maxNameLength = 128;

const judge = (name: string): boolean => {
  const lower = name.toLowerCase();
  if (anywhere.test(lower)) return true;
  if (name.length > maxNameLength) return false;
  const joined = lower.replace(/[^a-z0-9]+/g, '');
  return (
    wholeNames.has(joined) ||
    words.has(joined) ||
    joinedWords.test(joined) ||
    wordsOf(name).some(isSecretWord)
  );
};

/** Names recur, so results are cached. */
const judged = new Map<string, boolean>();
const maxJudged = 4_000;

/** True if the value under this name must not reach a log. */
export const isSecretName = (name: string): boolean => {
  const known = judged.get(name);
  if (known !== undefined) return known;
  const verdict = judge(name);
  if (name.length <= maxNameLength) {
    if (judged.size >= maxJudged) judged.clear();
    judged.set(name, verdict);
  }
  return verdict;
};

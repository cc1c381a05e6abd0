/** Normalises ATIS words: digits as figures, designators as `27L`, a full stop between fields. */
const spoken: Readonly<Record<string, string>> = {
  ZERO: '0',
  ONE: '1',
  TWO: '2',
  THREE: '3',
  TREE: '3',
  FOUR: '4',
  FIVE: '5',
  FIFE: '5',
  SIX: '6',
  SEVEN: '7',
  EIGHT: '8',
  NINE: '9',
  NINER: '9',
};
const spokenPattern = new RegExp(`\\b(?:${Object.keys(spoken).join('|')})\\b`, 'g');

/** The longest ATIS seen has 1,400 characters; some patterns take quadratic time. */
const maxLength = 2_000;

const side = String.raw`(L|R|C)(?:EFT|IGHT|ENTER|ENTRE)?\b(?! (?:HAND|TURN|CIRCUIT|TRAFFIC|TFC|BASE))`;
const sides = new RegExp(String.raw`\b(\d{1,2}) ?${side}`, 'g');
/** `34L AND R`, `26L/R`, `16LR`, `09R OR LEFT`: the number applies to both sides. */
const secondSide = new RegExp(String.raw`\b(\d{1,2})([LRC])(?: ?(?:\/|OR|AND|&) ?)?${side}`, 'g');

/** The network that broadcasts the ATIS. */
export type AtisNetwork = 'IVAO' | 'VATSIM';

export interface AtisOfStation {
  callsign: string;
  atis: readonly string[];
}
export interface NetworkStations {
  networkA: readonly AtisOfStation[] | null;
  networkB: readonly AtisOfStation[] | null;
}

/** Joins lines into one text; omits IVAO remarks, which also mention other airports. */
export const atisText = (lines: readonly string[], network: AtisNetwork): string =>
  (network === 'IVAO' ? lines.filter((line) => !/^\s*RMK\b/i.test(line)).join('. ') : lines.join(' '))
    .slice(0, maxLength)
    .toUpperCase()
    .replaceAll(/\[RWY\][^[]*/g, (field) => field.replaceAll('.', ','))
    .replaceAll(/\+?\[([^\]]*)\]/g, '. $1')
    .replaceAll(spokenPattern, (word) => spoken[word] ?? word)
    .replaceAll(/\b(?:RUNWAYS?|RWYS?|RYS?)\b[,:]?|\bRWY(?=\d)/g, 'RWY ')
    .replaceAll(/\b[A-Z](?: [A-Z]){2,}\b/g, (letters) => letters.replaceAll(' ', ''))
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/(?:RWY )+/g, 'RWY ')
    .replaceAll(/\b\d(?: \d)+(?=[LRC]?\b)/g, (digits) => digits.replaceAll(' ', ''))
    .replaceAll(/ ?\.?,(?: ?,)*/g, ',')
    .replaceAll(/,? (AND|OR),?(?= )/g, ' $1')
    .replaceAll(sides, '$1$2')
    .replaceAll(secondSide, '$1$2 $1$3');

/** Padded designators in the words of an ATIS. */
export const runwaysIn = (words = ''): string[] =>
  [...words.matchAll(/\b(\d{1,2})([LRC]?)\b/g)].map(
    ([, number = '', letter = '']) => number.padStart(2, '0') + letter,
  );

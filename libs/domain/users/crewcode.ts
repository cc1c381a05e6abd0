/** Capitals that Unicode does not decompose into a base letter and an accent. */
const plain: Readonly<Record<string, string>> = {
  ẞ: 'SS',
  Æ: 'AE',
  Œ: 'OE',
  Ø: 'O',
  Ł: 'L',
  Đ: 'D',
  Ð: 'D',
  Þ: 'TH',
  Ħ: 'H',
};

/** Letters with their combining signs, such as vowels in Indic scripts. */
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Strips accents only in alphabets where they do not make another letter. */
const lettersOf = (name: string): string[] => {
  const text = name
    .normalize('NFD')
    .replace(/(?<=[\p{Script=Latin}\p{Script=Greek}]\p{M}*)\p{M}|\p{Cf}/gu, '')
    .normalize()
    .toUpperCase()
    .replace(/[ẞÆŒØŁĐÐÞĦ]/g, (letter) => plain[letter] ?? letter);
  return Array.from(graphemes.segment(text), ({ segment }) => segment).filter((one) =>
    /^[\p{L}\p{N}]/u.test(one),
  );
};

const maxCharacters = 20;
/** For names without a letter. */
const nobody = 'CREW';

/**
 * Default crew code (M-4.6.q1f): 5 letters of the last name and the first one of the first name, upper case, no
 * accents.
 */
export const crewcodeOf = (firstname: string, lastname: string): string =>
  Array.from([...lettersOf(lastname).slice(0, 5), ...lettersOf(firstname).slice(0, 1)].join(''))
    .slice(0, maxCharacters)
    .join('') || nobody;

/** Letters that Unicode does not split into a base letter and an accent. */
const plain: Readonly<Record<string, string>> = {
  ß: 'SS',
  ẞ: 'SS',
  Æ: 'AE',
  Œ: 'OE',
  Ø: 'O',
  Ł: 'L',
  Đ: 'D',
  Ð: 'D',
  Þ: 'TH',
  ı: 'I',
  Ħ: 'H',
};

const lettersOf = (name: string): string[] =>
  Array.from(
    name
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .toUpperCase()
      .replace(/[ßẞÆŒØŁĐÐÞıĦ]/gu, (letter) => plain[letter] ?? letter)
      .replace(/[^\p{L}\p{N}]/gu, ''),
  );

/** Default crew code (M-4.6.q1f): 5 letters of the last name and the first of the first name, upper case, no accents. */
export const crewcodeOf = (firstname: string, lastname: string): string =>
  [...lettersOf(lastname).slice(0, 5), ...lettersOf(firstname).slice(0, 1)].join('');

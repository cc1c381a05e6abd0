/** Names of secrets (those of M-5.8 and more), each split into its words. */
export const secretWords: readonly (readonly string[])[] = [
  ['pass'],
  ['password'],
  ['pwd'],
  ['secret'],
  ['token'],
  ['credential'],
  ['credentials'],
  ['api', 'key'],
  ['dev', 'key'],
  ['developer', 'key'],
  ['share', 'code'],
  ['authorization'],
  ['signature'],
  ['pin'],
  ['card'],
  ['card', 'number'],
];

export const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

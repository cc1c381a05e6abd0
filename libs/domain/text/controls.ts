/** Text without control characters, also those that reverse the direction of what follows; lines end with \n. */
export const withoutControls = (text: string): string =>
  text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim();

/** Text widths in the drawings' font, so that the layout needs no browser. */

/** Advance widths of DejaVu Sans in 1/1000 em, for U+0020 to U+007E; the fallback fonts are narrower. */
const regular = [
  318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636,
  636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295,
  295, 656, 557, 863, 748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838,
  500, 500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521,
  392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838,
];
const bold = [
  348, 456, 521, 838, 696, 1002, 872, 306, 457, 457, 523, 838, 380, 415, 380, 365, 696, 696, 696, 696, 696,
  696, 696, 696, 696, 696, 400, 400, 838, 838, 838, 580, 1000, 774, 762, 734, 830, 683, 683, 821, 837, 372,
  372, 775, 637, 995, 837, 850, 733, 850, 770, 720, 682, 812, 774, 1103, 771, 724, 725, 457, 365, 457, 838,
  500, 500, 675, 716, 593, 716, 678, 435, 716, 712, 343, 343, 665, 343, 1042, 712, 687, 716, 716, 493, 595,
  478, 712, 652, 924, 645, 652, 582, 712, 365, 712, 838,
];
/** Used for every other character: no letter is wider. */
const widest = 1000;

/** No-break space. */
export const noBreak = '\u00a0';

/** Width (px) of a text at a font size (px). */
export const textWidth = (text: string, size: number, isBold = false): number => {
  const widths = isBold ? bold : regular;
  let sum = 0;
  for (const character of text.replaceAll(noBreak, ' ')) {
    sum += widths[(character.codePointAt(0) ?? 0) - 32] ?? widest;
  }
  return (sum * size) / 1000;
};

/** The text, truncated with an ellipsis to fit a width. */
export const shortened = (text: string, size: number, width: number, isBold = false): string => {
  if (textWidth(text, size, isBold) <= width) return text;
  const characters = Array.from(text);
  while (characters.length > 1 && textWidth(`${characters.join('')}…`, size, isBold) > width)
    characters.pop();
  return `${characters.join('').trimEnd()}…`;
};

/** The text in lines that fit a width; a word longer than a line is truncated. */
export const wrapped = (text: string, size: number, width: number, isBold = false): string[] => {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && textWidth(longer, size, isBold) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line].map((part) => shortened(part, size, width, isBold));
};

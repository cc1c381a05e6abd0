/** Small files of every type that the library accepts. */
import sharp from 'sharp';

const noise = () =>
  sharp({
    create: {
      width: 120,
      height: 90,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  });

/** A complete one-page PDF, padded to at least this many bytes; `text` makes it unique. */
export const pdfOf = (text = 'one', bytes = 0): Buffer => {
  const head = Buffer.from(`%PDF-1.7\n%âãÏÓ\n% ${text}\n`, 'latin1');
  const objects = [
    '1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n',
    '2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n',
    '3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]>>\nendobj\n',
  ];
  const offsets: number[] = [];
  let at = head.length;
  for (const object of objects) {
    offsets.push(at);
    at += object.length;
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const end = `xref\n0 4\n0000000000 65535 f \n${table}trailer\n<</Size 4/Root 1 0 R>>\nstartxref\n`;
  const missing = Math.max(0, bytes - at - end.length - 20);
  const filling = Buffer.alloc(missing, '% filling .........\n');
  const tail = `${end}${at + missing}\n%%EOF\n`;
  return Buffer.concat([head, Buffer.from(objects.join('')), filling, Buffer.from(tail)]);
};

export const svgOf = (inside = '<path d="M0 0L9 9"/>', attributes = ''): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9"${attributes}>${inside}</svg>`,
  );

export const pngOf = () => noise().png().toBuffer();
export const jpegOf = () => noise().jpeg().toBuffer();
export const gifOf = () => noise().gif().toBuffer();
export const webpOf = () => noise().webp().toBuffer();

/** One of each type, by media type. */
export const documents = async (): Promise<Map<string, Buffer>> =>
  new Map([
    ['application/pdf', pdfOf()],
    ['image/jpeg', await jpegOf()],
    ['image/png', await pngOf()],
    ['image/gif', await gifOf()],
    ['image/webp', await webpOf()],
    ['image/svg+xml', svgOf()],
  ]);

/** Files that the library stores, and files that only pretend to be of an allowed type. */
import { deflateSync } from 'node:zlib';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import PDFDocument from 'pdfkit';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { testFolder } from '#test/harness.ts';
import { documents, gifOf, jpegOf, pdfOf, pngOf, svgOf, webpOf } from '#test/support/documents.ts';
import { film, phonePhotos, samsungEnd } from '#test/support/phone-photos.ts';
import { bomb } from '#test/support/pictures.ts';
import { sampled } from '#test/support/deep.ts';
import { inspectFile } from './inspect-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await testFolder();
});

const inspected = async (bytes: Buffer) => {
  const path = join(folder, 'file');
  await writeFile(path, bytes);
  return inspectFile(path);
};
const refusalOf = async (bytes: Buffer): Promise<string | null> => {
  try {
    await inspected(bytes);
    return null;
  } catch (error) {
    if (error instanceof Error && error.name === 'ContentError') return error.message;
    throw error;
  }
};
const text = (content: string) => Buffer.from(content);
const joined = (...parts: (Buffer | string)[]) => Buffer.concat(parts.map((part) => Buffer.from(part)));
const zip = Buffer.concat([
  Buffer.from('504b0304', 'hex'),
  deflateSync('payload'),
  Buffer.from('504b0506', 'hex'),
  Buffer.alloc(18),
]);
const changed = (bytes: Buffer, at: number, value: number) => {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(value, at);
  return copy;
};

describe('accepted content', () => {
  test('Every type is accepted, wherever its end falls between two chunks', async () => {
    for (const [type, bytes] of await documents()) expect((await inspected(bytes)).type).toBe(type);
    const [jpeg, png] = [await jpegOf(), await pngOf()];
    const ends = Array.from({ length: 25 }, (_, i) => 65_525 + i);
    for (const end of sampled(ends, 4)) {
      const comment = Buffer.alloc(end - jpeg.length, 'x');
      comment.set([0xff, 0xfe], 0);
      comment.writeUInt16BE(comment.length - 2, 2);
      const long = joined(jpeg.subarray(0, 2), comment, jpeg.subarray(2));
      for (const added of [Buffer.alloc(0), Buffer.alloc(70_000), jpeg])
        expect([end, added.length, await refusalOf(joined(long, added))]).toEqual([end, added.length, null]);
      expect(await refusalOf(joined(long, png))).toMatch(/after the end/);
      expect(await refusalOf(long.subarray(0, -1))).toMatch(/incomplete/);
    }
  });

  test('Variants written by cameras and drawing programs are accepted', async () => {
    const frames = await sharp([await pngOf(), await pngOf()], { join: { animated: true } })
      .gif()
      .toBuffer();
    const jpeg = await jpegOf();
    const noise = sharp(await pngOf());
    const variants: [string, Buffer][] = [
      ['progressive', await noise.clone().jpeg({ progressive: true }).toBuffer()],
      [
        'a JPEG with EXIF',
        await noise
          .clone()
          .withExif({ IFD0: { Artist: 'x' } })
          .jpeg()
          .toBuffer(),
      ],
      ['a JPEG with a second picture and padding', joined(jpeg, jpeg, Buffer.alloc(7))],
      ['palette', await noise.clone().png({ palette: true }).toBuffer()],
      ['interlaced', await noise.clone().png({ progressive: true }).toBuffer()],
      ['an animation', frames],
      ['an animated WebP', await sharp(frames, { animated: true }).webp().toBuffer()],
      ['lossless WebP', await noise.clone().webp({ lossless: true }).toBuffer()],
      ['a PDF saved again', joined(pdfOf(), 'startxref\n9\n%%EOF\r\n\0\0')],
      [
        'an SVG with a prolog',
        joined(
          '\uFEFF<?xml version="1.0" encoding="utf-8"?>\n<!-- drawn -->\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">\n',
          svgOf(),
        ),
      ],
      [
        'an SVG with references',
        svgOf(
          '<style>.a{fill:url(#g)}</style><defs><linearGradient id="g"/></defs><path class="a" style="stroke:url(\'#g\')" fill="url(#g)"/><use xlink:href="#g"/><image href="data:image/png;base64,AAAA"/>',
        ),
      ],
      [
        'an SVG with notes of its program',
        svgOf(
          '<i:view i:on="1"/><metadata/>',
          ' xmlns:i="http://www.inkscape.org/namespaces/inkscape" i:version="1"',
        ),
      ],
    ];
    for (const [name, bytes] of variants) expect([name, await refusalOf(bytes)]).toEqual([name, null]);
  });

  test('Photos with the metadata of phones are accepted and can be decoded', async () => {
    const photos = phonePhotos(await jpegOf());
    for (const [name, bytes] of photos) {
      expect([name, await refusalOf(bytes)]).toEqual([name, null]);
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 120, height: 90 });
    }
  });

  test('Padding after the end is accepted in every format, any other data after it is not', async () => {
    const paddings = [
      Buffer.alloc(1),
      Buffer.alloc(200_000),
      Buffer.alloc(511, 0xff),
      text('\r\n \t\n'),
      text('\u001A'),
      joined(Buffer.alloc(65_536, 0xff), Buffer.alloc(3)),
    ];
    for (const [type, bytes] of await documents())
      for (const padding of paddings) {
        expect([type, padding.length, await refusalOf(joined(bytes, padding))]).toEqual([
          type,
          padding.length,
          null,
        ]);
        expect(await refusalOf(joined(bytes, padding, 'MZ', padding))).toMatch(
          /after the end|not well-formed|not UTF-8/,
        );
      }
  });

  test('A PDF is accepted with additions by printers, mail and servers', async () => {
    const document = new PDFDocument();
    document.text('Cold and dark').end();
    const printed = await buffer(document);
    const before = [
      '',
      '\uFEFF',
      '\r\n\r\n',
      '\u001B%-12345X@PJL JOB\n@PJL ENTER LANGUAGE=PDF\n',
      'Content-Type: application/pdf\r\nContent-Transfer-Encoding: binary\r\n\r\n',
      Buffer.alloc(1_015, '\n'),
    ];
    const behind = [
      '',
      '\n%%EOF\n',
      '\r\n%%EOF\r\n%%EOF',
      '\0\0\0%%EOF\n',
      '\u001A',
      Buffer.alloc(9_000),
      '\u001B%-12345X@PJL EOJ\r\n\u001B%-12345X',
      '\u001B%-12345X@PJL EOJ NAME="x"\n',
    ];
    for (const pdf of [printed, pdfOf(), pdfOf('long', 200_000)])
      for (const head of before)
        for (const tail of behind) {
          const bytes = joined(head, pdf, tail);
          expect([head, tail, await refusalOf(bytes)]).toEqual([head, tail, null]);
        }
  });
});

/** Hostile files, each with the wording of its refusal. */
const hostile = async (): Promise<[string, Buffer, RegExp][]> => {
  const [jpeg, png, gif, webp, pdf] = [await jpegOf(), await pngOf(), await gifOf(), await webpOf(), pdfOf()];
  const end = /after the end/;
  const incomplete = /incomplete/;
  const unknown = /this is not a PDF, JPG/;
  const outside = /something outside/;
  const element = /the element|not drawn/;
  const parts = /too many parts/;
  const formed = /not well-formed/;
  const svgs: [string, string, RegExp, string?][] = [
    ['a script', '<script>alert(1)</script>', element],
    ['a script in capitals', '<SCRIPT>alert(1)</SCRIPT>', element],
    ['a script of HTML', '<h:script xmlns:h="http://www.w3.org/1999/xhtml">alert(1)</h:script>', element],
    ['a script with a prefix', '<s:script xmlns:s="http://www.w3.org/2000/svg">1</s:script>', element],
    ['onload', '', /a script/, ' onload="alert(1)"'],
    ['ONLOAD', '', /a script/, ' ONLOAD="alert(1)"'],
    ['onclick below', '<g onclick="alert(1)"/>', /a script/],
    ['foreignObject', '<foreignObject><p>x</p></foreignObject>', element],
    ['an iframe of HTML', '<iframe xmlns="http://www.w3.org/1999/xhtml" src="javascript:1"/>', element],
    ['a link', '<a href="https://evil.example">x</a>', element],
    ['a link with a script', '<a xlink:href="javascript:alert(1)"><text>x</text></a>', element],
    ['an animated link', '<animate attributeName="href" values="javascript:alert(1)"/>', element],
    ['set', '<set attributeName="onload" to="alert(1)"/>', element],
    ['a handler', '<handler>alert(1)</handler>', element],
    ['a picture from outside', '<image href="https://evil.example/x.png"/>', outside],
    ['a picture from the disk', '<image xlink:href="file:///etc/passwd"/>', outside],
    ['an embedded SVG', '<image href="data:image/svg+xml;base64,AAAA"/>', outside],
    ['an embedded page', '<use href="data:text/html,x"/>', outside],
    ['use from outside', '<use xlink:href="https://evil.example/x.svg#a"/>', outside],
    ['use of another file', '<use href="other.svg#a"/>', outside],
    ['feImage from outside', '<filter><feImage href="//evil.example/x"/></filter>', outside],
    ['a fill from outside', '<path fill="url(https://evil.example/#a)"/>', outside],
    ['a hidden fill', '<path fill="u\\72l(https://evil.example)"/>', outside],
    ['a style from outside', '<path style="background:url(https://evil.example)"/>', /outside|a style/],
    ['an import', '<style>@import "https://evil.example";</style>', /a style/],
    ['an import in CDATA', '<style><![CDATA[@import url(https://evil.example);]]></style>', /a style/],
    ['an import around a comment', '<style>@imp<!-- -->ort "https://evil.example";</style>', /a style/],
    [
      'an import around an element',
      '<style>@imp<g/>ort "https://evil.example";</style>',
      /element in a style/,
    ],
    ['an import in entities', '<style>@&#105;mport "https://evil.example";</style>', /a style/],
    ['a handler in an unknown prefix', '<g x:onload="1"/>', formed],
    ['an attribute twice', '<g id="a" id="b"/>', formed],
    ['a "<" in an attribute', '<g id="<"/>', formed],
    ['a name that is not ASCII', '<gé/>', element],
    ['a font from outside', '<style>@font-face{src:url(https://evil.example)}</style>', /a style/],
    ['another base', '', /the attribute base/, ' xml:base="https://evil.example/"'],
    ['copies of itself', '<g id="a"><use href="#a"/></g>', /copies of itself/],
    [
      'a billion copies',
      `<defs><path id="a0"/>${Array.from({ length: 9 }, (_, i) => `<g id="a${i + 1}">${`<use href="#a${i}"/>`.repeat(10)}</g>`).join('')}</defs><use href="#a9"/>`,
      /too many copies/,
    ],
    ['an entity', '<text>&x;</text>', formed],
    ['too many levels', '<g>'.repeat(300) + '</g>'.repeat(300), /too many levels/],
    ['an open element', '<g>', formed],
    ['groups of 3 bytes', '<g/>'.repeat(100_001), /more than 100000 elements/],
    ['attributes', `<g ${'abcdefghij'.replaceAll(/./g, '$&="" ')}/>`.repeat(50_001), /500000 attributes/],
    [
      'attributes of one element',
      `<g ${Array.from({ length: 200_000 }, (_, i) => `xmlns:a${i}="x"`).join(' ')}/>`,
      /an element with more than 1000 attributes/,
    ],
    ['a text of 4 MB', `<text>${'x'.repeat(4_194_304)}</text>`, /more than 4 MB/],
  ];
  const repeated = (hex: string) => Buffer.from(hex.repeat(10_001), 'hex');
  const longWebp = Buffer.from(webp);
  longWebp.writeUInt32LE(webp.length - 8 + 10_001 * 8, 4);
  return [
    ...svgs.map(([name, inside, reason, attributes]): [string, Buffer, RegExp] => [
      `SVG: ${name}`,
      svgOf(inside, attributes),
      reason,
    ]),
    [
      'SVG: an external stylesheet',
      joined('<?xml version="1.0"?><?xml-stylesheet href="https://evil.example/x.xsl"?>', svgOf()),
      /an instruction/,
    ],
    [
      'SVG: declared entities',
      joined(
        '<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>',
        svgOf('<text>&b;</text>'),
      ),
      /declarations/,
    ],
    [
      'SVG: an entity of the disk',
      joined('<!DOCTYPE svg SYSTEM "file:///etc/passwd">', svgOf()),
      /declarations/,
    ],
    ['SVG: another encoding', joined('<?xml version="1.0" encoding="utf-7"?>', svgOf()), /text in utf-7/],
    [
      'SVG: bytes that are no text',
      joined(svgOf('<text>').subarray(0, -6), Buffer.from([0xff, 0xfe]), '</text></svg>'),
      /not UTF-8/,
    ],
    ['SVG: two documents', joined(svgOf(), svgOf()), formed],
    ['SVG: a page behind it', joined(svgOf(), '<html><script>1</script></html>'), formed],
    ['SVG: half of it', svgOf().subarray(0, -9), formed],
    ['SVG: without its namespace', text('<svg><script/></svg>'), /not an SVG/],
    ['nothing', Buffer.alloc(0), unknown],
    ['one byte', text('%'), unknown],
    ['zeros', Buffer.alloc(5_000), unknown],
    ['a program of Windows', joined('MZ', Buffer.alloc(200), 'PE\0\0', Buffer.alloc(500)), unknown],
    ['a program of Linux', joined(Buffer.from('7f454c46020101', 'hex'), Buffer.alloc(500)), unknown],
    ['a page', text('<!DOCTYPE html><html><script>alert(1)</script></html>'), unknown],
    ['a page with an SVG in it', text('<html><svg xmlns="http://www.w3.org/2000/svg"/></html>'), unknown],
    ['XML', text('<?xml version="1.0"?><rss/>'), unknown],
    ['a script', text('#!/bin/sh\nrm -rf /\n'), unknown],
    ['an archive', zip, unknown],
    ['a compressed SVG', deflateSync(svgOf()), unknown],
    ['a film', joined(Buffer.from('00000018', 'hex'), 'ftypmp42', Buffer.alloc(100)), unknown],
    ['a TIFF', joined('II*\0', Buffer.alloc(100)), unknown],
    ['PDF: behind a program', joined('MZ', pdf), unknown],
    ['PDF: behind a page', joined('<html><script>1</script>', pdf), unknown],
    ['PDF: behind a shell script', joined('#!/bin/sh\nexit\n', pdf), unknown],
    ['PDF: behind a text of JSON', joined('{"a": "', pdf), unknown],
    ['PDF: behind 1,025 bytes', joined(Buffer.alloc(1_025, '\n'), pdf), unknown],
    ['PDF: with a page behind padding', joined(pdfOf('long', 5_000), Buffer.alloc(9), '<html>'), end],
    ['PDF: with an archive behind it', joined(pdf, zip), end],
    ['PDF: with a page behind it', joined(pdfOf('long', 5_000), '<html><script>1</script></html>'), end],
    [
      'PDF: that begins like a page',
      joined('%PDF-1.7\n<html><script>alert(1)</script>\n', pdf.subarray(9)),
      /like a web page/,
    ],
    ['PDF: only its first line', text('%PDF-1.7\n'), incomplete],
    ['PDF: half of it', pdf.subarray(0, -30), incomplete],
    ['PDF: without cross-references', text('%PDF-1.7\nhello\n%%EOF'), incomplete],
    ['PDF: an unknown version', joined('%PDF-x.y', pdf.subarray(8)), /not a PDF/],
    ['PNG: with an archive behind it', joined(png, zip), end],
    ['PNG: half of it', png.subarray(0, png.length / 2), incomplete],
    ['PNG: only its signature', png.subarray(0, 60), incomplete],
    [
      'PNG: without a picture',
      joined(png.subarray(0, 33), Buffer.from('0000000049454e44ae426082', 'hex')),
      /no picture/,
    ],
    ['PNG: a changed byte', changed(png, 100, (png[100] ?? 0) ^ 1), /checksum/],
    ['PNG: a bomb of 3,600 megapixels', bomb(60_000, 60_000), /megapixels/],
    ['PNG: chunks of 12 bytes', joined(png.subarray(0, 33), repeated('00000000744558749642c585')), parts],
    ['PNG: no pixels', bomb(0, 5), /no pixels/],
    [
      'PNG: a chunk of 4 GB',
      joined(png.subarray(0, 33), Buffer.from('ffffffff49444154', 'hex'), Buffer.alloc(100)),
      /incomplete|this is not a PDF, JPG/,
    ],
    [
      'GIF: with a script',
      text('GIF89a/*' + 'x'.repeat(200) + '*/=1;alert(1)'),
      /megapixels|damaged|incomplete|no picture/,
    ],
    ['GIF: with an archive behind it', joined(gif, zip), end],
    ['GIF: extensions of 3 bytes', joined(gif.subarray(0, -1), repeated('21ff00')), parts],
    ['GIF: half of it', gif.subarray(0, gif.length / 2), incomplete],
    ['GIF: without a picture', joined(gif.subarray(0, 10), Buffer.from([0, 0, 0, 0x3b])), /no picture/],
    ['JPEG: with an archive behind it', joined(jpeg, zip), end],
    ['JPEG: with a script behind it', joined(jpeg, '<?php system($_GET[0]);'), end],
    ['JPEG: with a script behind padding', joined(jpeg, Buffer.alloc(70_000), '<?php 1;'), end],
    ['JPEG: with an archive behind its film', joined(jpeg, film, zip), /an archive, a page or a script/],
    ['JPEG: with an archive in its film', joined(jpeg, film, zip, Buffer.alloc(70_000, 'x')), /an archive/],
    ['JPEG: with a script in the notes of its maker', joined(jpeg, '<?php 1;', samsungEnd), /or a script/],
    ['JPEG: with a page behind a second picture', joined(jpeg, jpeg, film, '<HTML>'), /a page/],
    ['JPEG: with a PDF in its film', joined(jpeg, film, pdf), /an archive, a page/],
    ['PNG: with a film behind it', joined(png, film), end],
    ['GIF: with a second GIF behind it', joined(gif, gif), end],
    ['WebP: with a script behind padding', joined(webp, Buffer.alloc(5), '<script>'), end],
    ['JPEG: segments of 4 bytes', joined(jpeg.subarray(0, 2), repeated('ffe00002')), parts],
    ['JPEG: half of it', jpeg.subarray(0, jpeg.length / 2), incomplete],
    ['JPEG: its first bytes', joined(jpeg.subarray(0, 20), '<?php ?>'), /damaged|incomplete/],
    [
      'JPEG: without a picture',
      Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex'),
      /no picture/,
    ],
    ['WebP: chunks of 8 bytes', joined(longWebp, repeated('5858585800000000')), parts],
    ['WebP: longer than it says', joined(webp, zip), end],
    ['WebP: shorter than it says', webp.subarray(0, -10), incomplete],
    ['WebP: a chunk longer than the file', changed(webp, 18, 0xff), /longer than the file/],
    [
      'WebP: sound instead of a picture',
      joined('RIFF', Buffer.from([40, 0, 0, 0]), 'WAVEfmt ', Buffer.alloc(36)),
      unknown,
    ],
  ];
};

describe('hostile content', () => {
  test('Each of some eighty files is refused with its reason (M-8.8, M-4.4.q2a)', async () => {
    const cases = await hostile();
    expect(cases.length).toBeGreaterThanOrEqual(80);
    expect(new Set(cases.map(([name]) => name)).size).toBe(cases.length);
    for (const [name, bytes, reason] of cases)
      expect([name, await refusalOf(bytes)]).toEqual([name, expect.stringMatching(reason)]);
  });
});

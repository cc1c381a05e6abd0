/**
 * Points the rasteriser to the bundled fonts: without fonts on the machine, texts would be boxes. Must run before
 * `sharp` is loaded, which reads the setting once.
 */
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { writeFileAtomicNow } from '#platform/files/atomic-file.ts';

const fonts = join(import.meta.dirname, 'fonts');
const folder = join(tmpdir(), `efb-fonts-${userInfo().uid}`);
const file = join(folder, 'fonts.conf');
// Another worker may be reading the file.
writeFileAtomicNow(
  file,
  `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${fonts}</dir>` +
    `<cachedir>${join(folder, 'cache')}</cachedir></fontconfig>\n`,
);
process.env['FONTCONFIG_FILE'] = file;

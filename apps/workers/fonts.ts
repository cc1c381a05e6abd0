import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { writeFileAtomicNow } from '#platform/files/atomic-file.ts';

const fonts = join(import.meta.dirname, 'fonts');

/**
 * Points the rasteriser to the fonts of the service: a bare machine has none, and texts would be boxes. Must
 * be called before `sharp` is loaded, which reads the setting once.
 */
const useBundledFonts = (): void => {
  const folder = join(tmpdir(), `efb-fonts-${userInfo().uid}`);
  const file = join(folder, 'fonts.conf');
  // Another worker may be reading it.
  writeFileAtomicNow(
    file,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${fonts}</dir>` +
      `<cachedir>${join(folder, 'cache')}</cachedir></fontconfig>\n`,
  );
  process.env['FONTCONFIG_FILE'] = file;
};

useBundledFonts();

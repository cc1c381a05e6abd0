import { z } from 'zod';
import { missingOrInvalid } from '#domain/fields/index.ts';
import { pictureSlots } from '#domain/users/pictures.ts';
import { defineQuery } from '../../define.ts';
import { pictureErrors, pictureUpload, savePicture } from './common/picture.ts';

export default defineQuery({
  name: 'uploadPicture',
  ...pictureUpload,
  summary: 'Sets the profile picture (512 pixels) or the alias picture (1024 pixels).',
  errors: { ...pictureErrors, MISSING_FIELD: 400, INVALID_FIELD: 400 },
  input: z.strictObject({ slot: z.enum(pictureSlots, { error: missingOrInvalid({}) }) }),
  example: { slot: 'profile' },
  handler: (ctx) => savePicture(ctx, ctx.input.slot),
});

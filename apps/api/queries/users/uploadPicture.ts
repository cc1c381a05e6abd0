import { z } from 'zod';
import { missingOrInvalid } from '#domain/fields/index.ts';
import { pictureSlots } from '#domain/users/pictures.ts';
import {
  pictureErrors,
  pictureLimit,
  pictureOutputSchema,
  pictureUploadRule,
  savePicture,
} from './common/picture.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'uploadPicture',
  spec: ['2.7', '4.6'],
  summary: 'Sets the profile picture (512 pixels) or the alias picture (1024 pixels).',
  auth: 'jwt',
  devKey: null,
  limits: [pictureLimit],
  upload: pictureUploadRule,
  dialect: 'flat',
  errors: { ...pictureErrors, MISSING_FIELD: 400, INVALID_FIELD: 400 },
  input: z.object({ slot: z.enum(pictureSlots, { error: missingOrInvalid({}) }) }),
  output: pictureOutputSchema,
  // The file is resized and stored before the transaction.
  tx: 'manual',
  example: { slot: 'profile' },
  handler: (ctx) => savePicture(ctx, ctx.input.slot),
});

import { z } from 'zod';
import { pictureOutputSchema, removePicture } from './common/picture.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'deleteProfilePicture',
  spec: ['2.7', '4.6'],
  summary: 'Removes the profile picture; its URL is that of a neutral drawing again.',
  auth: 'jwt',
  devKey: null,
  dialect: 'flat',
  errors: {},
  input: z.object({}),
  output: pictureOutputSchema,
  tx: 'write',
  example: {},
  handler: (ctx) => removePicture(ctx, 'profile'),
});

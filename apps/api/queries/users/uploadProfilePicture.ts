import { z } from 'zod';
import { defineQuery } from '../../define.ts';
import { pictureUpload, savePicture } from './common/picture.ts';

export default defineQuery({
  name: 'uploadProfilePicture',
  ...pictureUpload,
  summary: 'Sets the profile picture, resized to 512 pixels.',
  input: z.strictObject({}),
  example: {},
  handler: (ctx) => savePicture(ctx, 'profile'),
});

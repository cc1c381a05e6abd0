import { defineQuery } from '../../define.ts';
import { pictureUpload, savePicture } from './common/picture.ts';

export default defineQuery({
  name: 'uploadProfilePicture',
  ...pictureUpload,
  summary: 'Sets the profile picture, resized to 512 pixels.',
  handler: (ctx) => savePicture(ctx, 'profile'),
});

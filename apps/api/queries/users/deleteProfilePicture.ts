import { defineQuery } from '../../define.ts';
import { pictureRemoval, removePicture } from './common/picture.ts';

export default defineQuery({
  name: 'deleteProfilePicture',
  ...pictureRemoval,
  summary: 'Removes the profile picture and restores the neutral drawing.',
  handler: (ctx) => removePicture(ctx, 'profile'),
});

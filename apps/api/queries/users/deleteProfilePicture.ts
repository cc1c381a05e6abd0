import { defineQuery } from '../../define.ts';
import { pictureRemoval, removePicture } from './common/picture.ts';

export default defineQuery({
  name: 'deleteProfilePicture',
  ...pictureRemoval,
  summary: 'Removes the profile picture; its URL is that of a neutral drawing again.',
  handler: (ctx) => removePicture(ctx, 'profile'),
});

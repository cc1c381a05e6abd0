import { defineQuery } from '../../define.ts';
import { pictureRemoval, removePicture } from './common/picture.ts';

export default defineQuery({
  name: 'deleteAliasPicture',
  ...pictureRemoval,
  summary: 'Removes the alias picture and restores the neutral drawing.',
  handler: (ctx) => removePicture(ctx, 'alias'),
});

import { defineQuery } from '../../define.ts';
import { pictureRemoval, removePicture } from './common/picture.ts';

export default defineQuery({
  name: 'deleteAliasPicture',
  ...pictureRemoval,
  summary: 'Removes the alias picture; its URL is that of a neutral drawing again.',
  handler: (ctx) => removePicture(ctx, 'alias'),
});

import { defineQuery } from '../../define.ts';
import { pictureUpload, savePicture } from './common/picture.ts';

export default defineQuery({
  name: 'uploadAliasPicture',
  ...pictureUpload,
  summary: 'Sets the alias picture, resized to 1024 pixels.',
  handler: (ctx) => savePicture(ctx, 'alias'),
});

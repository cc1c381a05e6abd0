import { z } from 'zod';
import {
  pictureErrors,
  pictureLimit,
  pictureOutputSchema,
  pictureUploadRule,
  savePicture,
} from './common/picture.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'uploadAliasPicture',
  spec: ['2.7', '4.6'],
  summary: 'Sets the alias picture, resized to 1024 pixels.',
  auth: 'jwt',
  devKey: null,
  limits: [pictureLimit],
  upload: pictureUploadRule,
  dialect: 'flat',
  errors: pictureErrors,
  input: z.object({}),
  output: pictureOutputSchema,
  // The file is resized and stored before the transaction.
  tx: 'manual',
  example: {},
  handler: (ctx) => savePicture(ctx, 'alias'),
});

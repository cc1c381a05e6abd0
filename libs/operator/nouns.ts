import type { Noun } from './verb.ts';
import { airport } from './nouns/airport.ts';
import { announcement } from './nouns/announcement.ts';
import { audit } from './nouns/audit.ts';
import { backup, restore } from './nouns/backup.ts';
import { checklist } from './nouns/checklist.ts';
import { consoleNoun } from './nouns/console.ts';
import { devkey } from './nouns/devkey.ts';
import { endpoint } from './nouns/endpoint.ts';
import { feeds } from './nouns/feeds.ts';
import { fleet } from './nouns/fleet.ts';
import { jobs } from './nouns/jobs.ts';
import { library } from './nouns/library.ts';
import { product } from './nouns/product.ts';
import { promo } from './nouns/promo.ts';
import { call, report } from './nouns/report.ts';
import { secrets } from './nouns/secrets.ts';
import { status } from './nouns/status.ts';
import { subscription } from './nouns/subscription.ts';
import { user } from './nouns/user.ts';
import { va } from './nouns/va.ts';
import { webhooks } from './nouns/webhooks.ts';

/** All nouns in the order of help and console. */
export const nouns: readonly Noun[] = [
  status,
  devkey,
  endpoint,
  user,
  product,
  promo,
  subscription,
  webhooks,
  va,
  checklist,
  fleet,
  jobs,
  feeds,
  report,
  call,
  airport,
  announcement,
  audit,
  consoleNoun,
  secrets,
  backup,
  restore,
  library,
];

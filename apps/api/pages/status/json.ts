import { feedAbout } from '#domain/feeds/about.ts';
import { publicReason } from '#domain/feeds/summary.ts';
import { wireTime, wireTimeOrNull } from '#domain/time.ts';
import type { StatusData } from './data.ts';

/** The public view, without addresses, and with error texts that do not name the server. */
export const statusJson = (data: StatusData) => ({
  time: wireTime(data.now),
  status: data.summary.status,
  summary: data.summary.sentence,
  sources: data.isSimulated ? 'simulated' : 'live',
  testPayments: data.acceptsTestPayments ? 'accepted' : 'refused',
  database: data.databaseReason ?? 'ok',
  map: data.map,
  queues: data.queues,
  gateways: data.gateways,
  feeds: data.feeds.map((report) => ({
    feed: report.feed,
    about: feedAbout(report.feed).text,
    status: report.status,
    lastRun: wireTimeOrNull(report.lastRunAt),
    lastSuccess: wireTimeOrNull(report.lastSuccessAt),
    lastFailure: wireTimeOrNull(report.lastFailureAt),
    lastFailureReason: report.lastFailure === null ? null : publicReason(report.lastFailure),
    reason: report.status === 'off' ? 'no source is configured' : null,
    notice: report.notice === null ? null : publicReason(report.notice),
    seedDate: report.seedDate,
    ageMinutes: report.ageMinutes,
    records: report.records,
    bytes: report.bytes,
    /** Hour 23 is the current one. */
    history: report.history.map(({ hour, succeeded, failed }) => ({ hour, succeeded, failed })),
  })),
});

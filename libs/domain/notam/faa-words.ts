const keywords =
  /^(?:PART \d{1,3} OF \d{1,3} )?(AD|AERODROME|AIRSPACE|APRON|CHART|COM|DATA|IAP|NAV|OBST|ODP|ROUTE|RWY|SECURITY|SID|SPECIAL|STAR|SVC|TWY|VFP)\b/;

/** The subject of an FAA text, or OTHER; the location before it is not part of it. */
export const faaKeyword = (body: string): string => keywords.exec(body)?.[1] ?? 'OTHER';

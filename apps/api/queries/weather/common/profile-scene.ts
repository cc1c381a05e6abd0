import type { ProfileScene } from '#domain/prints/content.ts';
import { routeProfile } from '#domain/weather/profile.ts';
import type { RouteProfile } from '#domain/weather/profile.ts';
import type { Route } from '#domain/weather/route.ts';
import { sigmetsOnRoute } from '#domain/weather/sigmet-route.ts';
import type { RouteCall } from './route.ts';

/** `16 Sep 12:30`. */
const shortTime = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)}Z`;

/** The profile of a route with the winds and warnings that are stored now. */
export const profileSceneOf = async (
  { caches, winds }: Pick<RouteCall, 'caches' | 'winds'>,
  route: Route,
): Promise<ProfileScene> => {
  const snapshot = winds.current();
  const found = sigmetsOnRoute(await caches.sigmets.get('all'), route);
  return profileScene(routeProfile(route, snapshot, found), snapshot?.header.source ?? null);
};

/** The profile with its title and what the picture depends on. */
const profileScene = (profile: RouteProfile, source: string | null): ProfileScene => {
  const [first, last] = [profile.track[0], profile.track.at(-1)];
  const crossed = profile.hazards.filter(({ crosses }) => crosses).length;
  const beside = profile.hazards.length - crossed;
  return {
    title: `${first?.ident ?? 'Route'} – ${last?.ident ?? 'end'}, vertical profile`,
    facts: [
      {
        name: 'Flight',
        value: `${shortTime(first?.time ?? '')} to ${shortTime(last?.time ?? '')}, ${Math.round(profile.distanceNm)} NM`,
      },
      { name: 'Winds', value: source ?? 'none are stored' },
      { name: 'SIGMET', value: `${crossed} crossed, ${beside} above or below` },
    ],
    profile,
    notes: [
      'Barbs: 50, 10 and 5 kt, north is up. Dashed: 0 °C. Areas: SIGMET and AIRMET, hatched where crossed. Terrain and tropopause are not shown.',
    ],
  };
};

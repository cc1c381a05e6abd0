/** What `weather` says about the code that it was asked for. */
import { unknownAirport } from '../../airports/common/errors.ts';

/** Neither an airport nor a station. */
export const unknownNotice = async (caches: Parameters<typeof unknownAirport>[0], icao: string) => {
  const { nearest } = await unknownAirport(caches, icao);
  const hint = nearest.length > 0 ? ` Did you mean ${nearest.join(', ')}?` : '';
  return {
    code: 'UNKNOWN_ICAO' as const,
    message: `No airport or station ${icao} is known.${hint}`,
    nearest,
  };
};

/** Of an airport with several codes, the present one first. */
export const renamedNotice = (icao: string, [present = icao, ...former]: readonly string[]) => ({
  code: 'RENAMED_ICAO' as const,
  message: `${present} was ${former.join(', ')}: reports under any of these codes are answered, each with its own.`,
  nearest: [present],
});

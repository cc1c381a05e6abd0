/** Altitude of a pressure level in the standard atmosphere, metres. */
const altitudeM = (levelHpa: number): number =>
  levelHpa >= 226.32
    ? 44_330.8 * (1 - (levelHpa / 1_013.25) ** 0.190_263)
    : 11_000 + 6_341.6 * Math.log(226.32 / levelHpa);

/** Westerlies with a jet at 45 degrees near 250 hPa that meanders around the globe, in m/s. */
export const windAt = (latitudeDeg: number, longitudeDeg: number, levelHpa: number, hours: number) => {
  const phase = ((longitudeDeg * 5 + hours * 2) * Math.PI) / 180;
  const jetLatitude = 45 + 8 * Math.sin(phase);
  const height = Math.exp(-(((altitudeM(levelHpa) - 10_500) / 6_000) ** 2));
  const jet = 50 * height * Math.exp(-(((Math.abs(latitudeDeg) - jetLatitude) / 12) ** 2));
  return { u: 3 + jet, v: 0.35 * jet * Math.cos(phase) };
};

/** Temperature of a level in K, warmer toward the equator below 11 km. */
export const temperatureK = (latitudeDeg: number, levelHpa: number): number => {
  const warmth = 12 - Math.abs(latitudeDeg) * 0.4;
  const altitude = altitudeM(levelHpa);
  return altitude < 11_000 ? 288.15 - 0.0065 * altitude + warmth * (1 - altitude / 11_000) : 216.65;
};

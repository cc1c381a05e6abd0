/** Places as unit vectors, to which date line and poles are not special. */
export type Vector = readonly [x: number, y: number, z: number];

/** Radians of a degree. */
export const rad = Math.PI / 180;
/** Mean earth radius, 6,371.0088 km, in nautical miles. */
const earthNm = 6_371.0088 / 1.852;

export const vectorOf = (latitudeDeg: number, longitudeDeg: number): Vector => {
  const [latitude, longitude] = [latitudeDeg * rad, longitudeDeg * rad];
  const cos = Math.cos(latitude);
  return [cos * Math.cos(longitude), cos * Math.sin(longitude), Math.sin(latitude)];
};

/** Degrees; longitude -180 to 180. */
export const placeOf = ([x, y, z]: Vector): { latitude: number; longitude: number } => ({
  latitude: Math.atan2(z, Math.hypot(x, y)) / rad,
  longitude: Math.atan2(y, x) / rad,
});

export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

export const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

const lengthOf = (v: Vector): number => Math.sqrt(dot(v, v));

/** The unit vector; null for one without a direction. */
export const unit = (v: Vector): Vector | null => {
  const length = lengthOf(v);
  return length < 1e-12 ? null : [v[0] / length, v[1] / length, v[2] / length];
};

/** Radians. */
export const angleOf = (a: Vector, b: Vector): number => Math.atan2(lengthOf(cross(a, b)), dot(a, b));

export const distanceNm = (a: Vector, b: Vector): number => angleOf(a, b) * earthNm;
export const radiansOfNm = (nm: number): number => nm / earthNm;

/** The point at this share of the great circle from `a` to `b`. */
export const between = (a: Vector, b: Vector, share: number): Vector => {
  const angle = angleOf(a, b);
  if (angle < 1e-12) return a;
  const [from, to] = [Math.sin((1 - share) * angle), Math.sin(share * angle)];
  return unit([from * a[0] + to * b[0], from * a[1] + to * b[1], from * a[2] + to * b[2]]) ?? a;
};

/** Initial true track from `a` to `b` in degrees, 0 <= result < 360. */
export const trackDeg = (a: Vector, b: Vector): number => {
  // East of `a`; at a pole, from the meridian of its longitude.
  const east: Vector = unit([-a[1], a[0], 0]) ?? [0, 1, 0];
  const degrees = Math.atan2(dot(b, east), dot(b, cross(a, east))) / rad;
  return (degrees + 360) % 360;
};

/** Smallest angle in radians from a place to the great circle arc from `a` to `b`, and where on the arc it occurs. */
export const nearestOn = (a: Vector, b: Vector, place: Vector): { angle: number; share: number } => {
  const leg = angleOf(a, b);
  const normal = unit(cross(a, b));
  if (normal !== null) {
    const height = dot(place, normal);
    const foot = unit([
      place[0] - height * normal[0],
      place[1] - height * normal[1],
      place[2] - height * normal[2],
    ]);
    if (foot && dot(cross(a, foot), normal) >= 0 && dot(cross(foot, b), normal) >= 0)
      return { angle: Math.abs(Math.asin(Math.min(1, Math.max(-1, height)))), share: angleOf(a, foot) / leg };
  }
  const [fromA, fromB] = [angleOf(place, a), angleOf(place, b)];
  return fromB < fromA ? { angle: fromB, share: 1 } : { angle: fromA, share: 0 };
};

declare module 'magvar' {
  /** The years for which the model is valid. */
  const epoch: number;
  const validUntil: number;
  export { epoch as MODEL_EPOCH, validUntil as MODEL_VALID_UNTIL };
  /** North and east components of the field in nT. */
  export const magneticField: (
    latitudeDeg: number,
    longitudeDeg: number,
    altitudeKm: number,
    year: number,
  ) => { x: number; y: number };
}

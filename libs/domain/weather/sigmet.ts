/** Aviation Weather Center lists: international SIGMETs, US SIGMETs, and US graphical AIRMETs. */
export const sigmetProducts = ['isigmet', 'airsigmet', 'gairmet'] as const;
export type SigmetProduct = (typeof sigmetProducts)[number];

/** A hazardous weather warning as issued; its area is taken from the text and not moved with time. */
export interface Sigmet {
  product: SigmetProduct;
  kind: 'SIGMET' | 'AIRMET' | 'G-AIRMET';
  /** Location indicator of the flight information region; in the United States, of the issuing office. */
  fir: string;
  firName: string | null;
  /** Number within the region and day: `D01`, `54E`. */
  series: string | null;
  /** Abbreviation in the source: `TURB`, `TS`, `ICE`, `VA`, `TC`, `MTW`, `CONVECTIVE`, `IFR`. */
  hazard: string;
  /** `SEV`, `EMBD`, `OBSC`; the volcano for an ash cloud; `MOD` for a graphical AIRMET. */
  qualifier: string | null;
  /** ISO 8601, UTC. */
  validFrom: string;
  validTo: string;
  /** Feet; null: from the surface. */
  baseFt: number | null;
  /** Feet; null: no upper limit stated. */
  topFt: number | null;
  /** `area`: closed polygons, the first vertex not repeated; `line`: lines without a width. */
  shape: 'area' | 'line';
  /** Latitude and longitude of the vertices in degrees; empty when the source gives no position. */
  parts: [number, number][][];
  /** Direction of movement (toward) in degrees true, and speed; null when stationary or not stated. */
  movement: { towardDeg: number; speedKt: number } | null;
  /** `NC` no change, `WKN` weakening, `INTSF` intensifying. */
  change: string | null;
  raw: string;
}

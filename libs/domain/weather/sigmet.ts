/** Lists of the Aviation Weather Center: of the world, of the United States, and the graphical AIRMETs of the latter. */
export const sigmetProducts = ['isigmet', 'airsigmet', 'gairmet'] as const;
export type SigmetProduct = (typeof sigmetProducts)[number];

/** A warning of hazardous weather in an area, as issued; the area is that of the text, not moved with time. */
export interface Sigmet {
  product: SigmetProduct;
  kind: 'SIGMET' | 'AIRMET' | 'G-AIRMET';
  /** Location indicator of the flight information region; of the issuing office in the United States. */
  fir: string;
  firName: string | null;
  /** Number within the region and day: `D01`, `54E`. */
  series: string | null;
  /** Abbreviation of the source: `TURB`, `TS`, `ICE`, `VA`, `TC`, `MTW`, `CONVECTIVE`, `IFR`. */
  hazard: string;
  /** `SEV`, `EMBD`, `OBSC`; the volcano of an ash cloud; `MOD` of a graphical AIRMET. */
  qualifier: string | null;
  /** ISO 8601, UTC. */
  validFrom: string;
  validTo: string;
  /** Feet; null: from the surface. */
  baseFt: number | null;
  /** Feet; null: the text gives no upper limit. */
  topFt: number | null;
  /** `area`: closed polygons, the first vertex not repeated; `line`: lines without a width. */
  shape: 'area' | 'line';
  /** Latitude and longitude of the vertices in degrees; empty when the source gives no place. */
  parts: [number, number][][];
  /** Direction toward which it moves, degrees true, and speed; null when it does not or nothing is said. */
  movement: { towardDeg: number; speedKt: number } | null;
  /** `NC` no change, `WKN` weakening, `INTSF` intensifying. */
  change: string | null;
  raw: string;
}

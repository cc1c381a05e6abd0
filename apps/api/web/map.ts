/** Where the static airport map is served; the feed `map` writes the file. */
export const mapGeoJsonPath = '/map/airports.geojson';

/** Small answers in the layouts of the FAA's services, written for the tests. */

export interface FixtureNotam {
  id: string;
  number: string;
  location: string;
  text: string;
  local?: string;
}

export const geoJsonFeature = (notam: FixtureNotam, more: Record<string, unknown> = {}) => ({
  type: 'Feature',
  properties: {
    coreNOTAMData: {
      notamEvent: { scenario: '87' },
      notam: {
        id: notam.id,
        series: 'A',
        number: notam.number,
        year: '2026',
        type: 'N',
        issued: '2026-02-01T00:00:00.000Z',
        affectedFir: 'KZXX',
        selectionCode: 'QMRLC',
        traffic: 'IV',
        purpose: 'NBO',
        scope: 'A',
        location: notam.location,
        icaoLocation: `K${notam.location}`,
        effectiveStart: '2026-02-01T00:00:00.000Z',
        effectiveEnd: '2026-03-01T23:59:00.000Z',
        text: notam.text,
        classification: 'DOM',
        accountId: notam.location,
        coordinates: '3792N09073W',
        ...more,
      },
      ...(notam.local === undefined
        ? {}
        : { notamTranslation: [{ type: 'LOCAL_FORMAT', simpleText: notam.local }] }),
    },
  },
  geometry: { type: 'Point', coordinates: [-90.7, 37.9] },
});

export const nmsAnswer = (features: readonly unknown[]): string =>
  JSON.stringify({ status: 'Success', data: { geojson: features } });

export const aixmMessage = (
  notam: FixtureNotam,
): string => `<aixm:member><AIXMBasicMessage gml:id="${notam.id}">
<hasMember><aixm:RunwayDirection gml:id="RD1"><aixm:timeSlice><aixm:RunwayDirectionTimeSlice>
<aixm:designator>09</aixm:designator></aixm:RunwayDirectionTimeSlice></aixm:timeSlice></aixm:RunwayDirection></hasMember>
<hasMember><event:Event gml:id="E1"><event:timeSlice><event:EventTimeSlice gml:id="TS1">
<event:scenario>87</event:scenario>
<event:textNOTAM><event:NOTAM gml:id="N1"><event:number>${notam.number.replace(/^\d+\//, '')}</event:number>
<event:year>2026</event:year><event:type>N</event:type><event:location>${notam.location}</event:location>
<event:effectiveStart>202602010000</event:effectiveStart><event:effectiveEnd>202603012359</event:effectiveEnd>
<event:text>${notam.text}</event:text>
<event:translation><event:NOTAMTranslation gml:id="T1"><event:type>LOCAL_FORMAT</event:type>
<event:simpleText>${notam.local ?? ''}</event:simpleText></event:NOTAMTranslation></event:translation>
</event:NOTAM></event:textNOTAM>
<event:extension><fnse:EventExtension gml:id="X1"><fnse:classification>DOM</fnse:classification>
<fnse:accountId>${notam.location}</fnse:accountId><fnse:icaoLocation>K${notam.location}</fnse:icaoLocation></fnse:EventExtension></event:extension>
</event:EventTimeSlice></event:timeSlice></event:Event></hasMember></AIXMBasicMessage></aixm:member>
`;

export const aixmFile = (messages: readonly string[]): string =>
  `<?xml version="1.0"?>
<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>
<ns3:FeatureCollection numberReturned="${messages.length}">
${messages.join('')}</ns3:FeatureCollection>
</soap:Body>
</soap:Envelope>
`;

export const closure = (n: number): FixtureNotam => ({
  id: `NMS_ID_${1_000 + n}`,
  number: `02/${String(n).padStart(3, '0')}`,
  location: 'XYZ',
  text: 'RWY 09L/27R CLSD',
  local: `!XYZ 02/${String(n).padStart(3, '0')} XYZ RWY 09L/27R CLSD 2602010000-2603012359`,
});

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Value {
  stringValue?: string;
  intValue?: number | string;
}

export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  /** Name of the process that sent it. */
  service: string;
  attributes: Record<string, string | number | undefined>;
}

interface Sent {
  resourceSpans: {
    resource: { attributes: { key: string; value: Value }[] };
    scopeSpans: { spans: (ReceivedSpan & { attributes: { key: string; value: Value }[] })[] }[];
  }[];
}

const valuesOf = (attributes: { key: string; value: Value }[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));

/** A collector that keeps what it receives as OTLP in JSON. */
export const startCollector = async () => {
  const spans: ReceivedSpan[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => void (body += String(chunk)));
    request.on('end', () => {
      response.writeHead(request.url === '/v1/traces' ? 200 : 404).end('{}');
      for (const { resource, scopeSpans } of (JSON.parse(body) as Sent).resourceSpans) {
        const service = String(valuesOf(resource.attributes)['service.name']);
        for (const span of scopeSpans.flatMap((scope) => scope.spans))
          spans.push({ ...span, service, attributes: valuesOf(span.attributes) });
      }
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const inTrace = (traceId: string) => spans.filter((span) => span.traceId === traceId);

  /** The spans of a trace below a span as lines, indented by depth, in the order of their start. */
  const linesOf = (traceId: string, parent: string, depth = 0): string[] =>
    inTrace(traceId)
      .filter(({ parentSpanId }) => parentSpanId === parent)
      .toSorted((a, b) => Number(BigInt(a.startTimeUnixNano) - BigInt(b.startTimeUnixNano)))
      .flatMap(({ spanId, name, service }) => [
        `${'  '.repeat(depth)}${service}: ${name}`,
        ...linesOf(traceId, spanId, depth + 1),
      ]);

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    inTrace,
    linesOf,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

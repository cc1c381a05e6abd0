/** Reads Server-Sent Events as a client does. */
export interface StreamEvent {
  /** The cursor to resume from. */
  id: string;
  name: string;
  data: unknown;
}

export interface EventStream {
  response: Response;
  /** The next event with data; null at the end of the stream or of its connection. */
  next: () => Promise<StreamEvent | null>;
  cut: () => void;
}

export const openEvents = async (url: string, headers: Record<string, string>): Promise<EventStream> => {
  const cut = new AbortController();
  const response = await fetch(url, { headers, signal: cut.signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  let id = '';
  const block = async (): Promise<string | null> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const found = text.slice(0, end);
        text = text.slice(end + 2);
        return found;
      }
      const chunk = await reader?.read().catch(() => null);
      if (!chunk || chunk.done) return null;
      text += chunk.value;
    }
  };
  return {
    response,
    cut: () => cut.abort(),
    next: async () => {
      for (;;) {
        const found = await block();
        if (found === null) return null;
        const fields = new Map(
          found.split('\n').map((line) => [line.split(':', 1)[0] ?? '', line.replace(/^[^:]*: ?/, '')]),
        );
        id = fields.get('id') ?? id;
        const data = fields.get('data');
        if (data !== undefined)
          return { id, name: fields.get('event') ?? 'message', data: JSON.parse(data) as unknown };
      }
    },
  };
};

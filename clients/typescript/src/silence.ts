/** Aborts a transfer that makes no progress; the service itself disconnects slower ones. */
const leastBytesPerMs = 64;

export interface Silence {
  signal: AbortSignal;
  /** Call it whenever data arrive. */
  progress: () => void;
  /** Stops waiting for progress. */
  end: () => void;
}

/** Aborts after this many milliseconds without progress; at first it allows the time needed to send these bytes. */
export const createSilence = (timeoutMs: number, sentBytes = 0): Silence => {
  const controller = new AbortController();
  const start = (ms: number) => setTimeout(() => controller.abort(), ms);
  let timer = start(timeoutMs + Math.ceil(sentBytes / leastBytesPerMs));
  return {
    signal: controller.signal,
    progress: () => {
      clearTimeout(timer);
      timer = start(timeoutMs);
    },
    end: () => {
      clearTimeout(timer);
      controller.abort();
    },
  };
};

/** The text of a body, read piece by piece. */
export const textOf = async (response: Response, { progress }: Silence): Promise<string> => {
  progress();
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  let text = '';
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) return text + decoder.decode();
    progress();
    text += decoder.decode(value, { stream: true });
  }
};

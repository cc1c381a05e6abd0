/** The service ends what is sent more slowly. */
const leastBytesPerMs = 64;

export interface Silence {
  signal: AbortSignal;
  /** Something has arrived. */
  heard: () => void;
  /** Whatever is still to come is not wanted. */
  end: () => void;
}

/** Aborted after so many milliseconds in which nothing arrives, at first later by the time that these bytes need to be sent. */
export const createSilence = (timeoutMs: number, sentBytes = 0): Silence => {
  const controller = new AbortController();
  const start = (ms: number) => setTimeout(() => controller.abort(), ms);
  let timer = start(timeoutMs + Math.ceil(sentBytes / leastBytesPerMs));
  return {
    signal: controller.signal,
    heard: () => {
      clearTimeout(timer);
      timer = start(timeoutMs);
    },
    end: () => {
      clearTimeout(timer);
      controller.abort();
    },
  };
};

/** The text of a body, piece by piece. */
export const textOf = async (response: Response, { heard }: Silence): Promise<string> => {
  heard();
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  let text = '';
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) return text + decoder.decode();
    heard();
    text += decoder.decode(value, { stream: true });
  }
};

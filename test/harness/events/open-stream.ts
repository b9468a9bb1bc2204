import { ADMIN_PASSWORD, basic } from '../service.ts';
import { until } from '../until.ts';

/** An answer that goes on, and what has arrived of it. */
export class OpenStream {
  readonly response: Response;
  readonly close: () => void;
  text = '';
  isEnded = false;

  private constructor(response: Response, close: () => void) {
    this.response = response;
    this.close = close;
    void this.#read();
  }

  static async open(
    url: string,
    {
      as = `admin:${ADMIN_PASSWORD}`,
      headers = {},
    }: { as?: string | null; headers?: Record<string, string> } = {},
  ): Promise<OpenStream> {
    const over = new AbortController();
    const response = await fetch(url, {
      headers: { ...(as !== null && { authorization: basic(as) }), ...headers },
      signal: over.signal,
    });
    return new OpenStream(response, () => over.abort());
  }

  /** Waits until this has arrived. */
  async has(text: string): Promise<string> {
    await until(
      () => `${text} in ${this.text}`,
      () => this.text.includes(text),
    );
    return this.text;
  }

  /** Waits until the server ends it, or cuts it off. */
  async ended(): Promise<string> {
    await until('the end of the stream', () => this.isEnded);
    return this.text;
  }

  /** The data of each message, but for those without. */
  get messages(): readonly Record<string, unknown>[] {
    return [...this.text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data));
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const bytes of this.response.body ?? [])
        this.text += decoder.decode(bytes, { stream: true });
    } catch {
      // It was cut off, by one or the other.
    }
    this.isEnded = true;
  }
}

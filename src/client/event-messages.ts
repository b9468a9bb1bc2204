/** One message of a stream of Server-Sent Events. */
export interface Message {
  /** Empty: it has no type of its own. */
  readonly type: string;
  /** The newest number that the stream has told; empty: none. */
  readonly lastId: string;
  readonly data: string;
}

/** Puts messages together from what arrives, however it is cut (HTML standard, 9.2.6). */
export class MessageParser {
  #rest = '';
  #type = '';
  #data: string[] = [];
  #lastId = '';

  /** The messages that this text completes. One without data only tells a number. */
  read(text: string): readonly Message[] {
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?=.)/s);
    this.#rest = lines.pop() ?? '';
    return lines.flatMap(line => this.#readLine(line) ?? []);
  }

  #readLine(line: string): Message | undefined {
    if (line === '') return this.#finish();
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === 'data') this.#data.push(value);
    if (field === 'event') this.#type = value;
    if (field === 'id') this.#lastId = value;
    return undefined;
  }

  #finish(): Message {
    const message = { type: this.#type, lastId: this.#lastId, data: this.#data.join('\n') };
    this.#type = '';
    this.#data = [];
    return message;
  }
}

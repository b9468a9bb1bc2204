/** One message of a stream of events. */
export interface StreamMessage {
  readonly event: string;
  readonly id: string;
  readonly data: string;
}

const LINE_END = /\r\n|\n|\r/;

function messageOf(block: string): StreamMessage | undefined {
  const fields = block
    .split(LINE_END)
    .filter(line => line !== '' && !line.startsWith(':'))
    .map(line => /^([^:]*):? ?(.*)$/s.exec(line)?.slice(1) ?? []);
  const all = (wanted: string) => fields.filter(([name]) => name === wanted).map(([, value = '']) => value);
  // Without data it is no message: only advice when to come again.
  if (all('data').length === 0) return undefined;
  return { event: all('event').at(-1) ?? '', id: all('id').at(-1) ?? '', data: all('data').join('\n') };
}

/** Takes Server-Sent Events apart as they arrive; what has not arrived to its end counts for nothing. */
export class EventStreamParser {
  #rest = '';

  /** Answers what is complete now. Comments are left out. */
  add(text: string): readonly StreamMessage[] {
    const blocks = (this.#rest + text).split(/\n\n|\r\n\r\n/);
    this.#rest = blocks.pop() ?? '';
    return blocks.map(messageOf).filter(message => message !== undefined);
  }
}

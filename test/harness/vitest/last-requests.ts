// The last requests of the running test, for the message of its failure.

const MAX_REQUESTS = 8;
/** Requests other than GET, which are kept although a test polls after them. */
const MAX_CHANGES = 4;

interface RequestFields {
  readonly method: string;
  /** URL, user and headers. */
  readonly target: string;
}

export class SentRequest {
  readonly method: string;
  readonly target: string;
  body = '';
  /** Status or error. */
  result = '';
  responseBody = '';
  isBeforeTest = false;
  count = 1;

  constructor({ method, target }: RequestFields) {
    this.method = method;
    this.target = target;
  }

  get text(): string {
    const sent = [this.method, this.target, this.body].filter(Boolean).join(' ');
    return this.result === '' ? sent : `${sent} -> ${[this.result, this.responseBody].filter(Boolean).join(' ')}`;
  }

  canMerge(other: SentRequest): boolean {
    return this.result !== '' && this.text === other.text && this.isBeforeTest === other.isBeforeTest;
  }
}

/** The newest request is at the end. */
let requests: SentRequest[] = [];

const isChange = ({ method }: SentRequest): boolean => method !== 'GET';

/** Consecutive requests with the same text and result become one. */
function mergeEqual(): void {
  const merged: SentRequest[] = [];
  for (const request of requests) {
    const previous = merged.at(-1);
    if (previous?.canMerge(request)) previous.count += request.count;
    else merged.push(request);
  }
  requests = merged;
}

/** Returns the entry, to which the caller adds the result. */
export function recordRequest(fields: RequestFields): SentRequest {
  mergeEqual();
  const added = new SentRequest(fields);
  requests.push(added);
  const lastRequests = new Set([...requests.slice(-MAX_REQUESTS), ...requests.filter(isChange).slice(-MAX_CHANGES)]);
  requests = requests.filter(request => lastRequests.has(request));
  return added;
}

/** Later requests are those of the test, and earlier ones those of `beforeAll`. */
export function markTestStart(): void {
  for (const request of requests) request.isBeforeTest = true;
}

export function clearRequests(): void {
  requests = [];
}

/** Returns an empty text if there were no requests. */
export function formatLastRequests(subject: 'test' | 'suite'): string {
  mergeEqual();
  const format = (title: string, selected: readonly SentRequest[]) => {
    const lines = selected.map(({ text, count }) => `  ${text}${count > 1 ? ` (${count} times)` : ''}\n`);
    return lines.length === 0 ? '' : `\n\n${title}:\n${lines.join('')}`;
  };
  return [
    format(
      `Last requests before this ${subject}`,
      requests.filter(request => request.isBeforeTest),
    ),
    format(
      `Last requests of this ${subject}`,
      requests.filter(request => !request.isBeforeTest),
    ),
  ].join('');
}
